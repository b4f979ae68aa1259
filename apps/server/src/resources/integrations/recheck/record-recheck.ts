import { isPersonalMode } from '../../../credentials/personal-mode.ts';
import type { ProbeResult } from '../../../credentials/probe/probe-result.ts';
import type { Integration, Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../../platform/database/store.ts';
import { pauseAfter } from './claim-due.ts';

/**
 * Writes what the service has found out by itself, in one conditional write: a configuration or an
 * interval that was changed meanwhile stays, as does an integration that was archived.
 *
 * Without anybody's credential, a server that was reached leaves the status as it is, unless the service
 * itself had found the integration invalid before.
 */
export async function recordRecheck(
  db: Db,
  integration: Integration,
  result: Pick<ProbeResult, 'status' | 'message'>,
): Promise<void> {
  const { id, organizationId, validationEpoch, nextValidationAt, authMode } = integration;
  const failedValidations = result.status === 'invalid' ? integration.failedValidations + 1 : 0;
  const isUntried = isPersonalMode(authMode) && result.status === 'pending';
  const isBack =
    isUntried && integration.validationStatus === 'invalid' && integration.failedValidations > 0;
  await db.integration.updateMany({
    where: {
      ...{ id, organizationId, validationEpoch, nextValidationAt, archivedAt: null },
      ...(isBack ? { validationStatus: 'invalid' as const } : {}),
    },
    data: {
      failedValidations,
      nextValidationAt: nextAfter(integration, failedValidations),
      ...(isUntried && !isBack ? {} : verdictColumns(result)),
    },
  });
}

function nextAfter({ validateEveryMinutes: minutes }: Integration, failures: number): Date | null {
  return minutes === null ? null : new Date(Date.now() + pauseAfter(failures, minutes) * 60_000);
}

function verdictColumns({ status, message }: Pick<ProbeResult, 'status' | 'message'>) {
  return {
    validationStatus: status,
    validationMessage: message,
    lastValidatedAt: new Date(),
  } satisfies Prisma.IntegrationUpdateManyMutationInput;
}
