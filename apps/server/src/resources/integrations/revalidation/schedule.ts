import type { ProbeResult } from '../../../credentials/probe/probe-result.ts';
import { isPersonalMode } from '../../../credentials/target.ts';
import type { Integration } from '../../../generated/prisma/client.ts';
import { service } from '../../../identity/actor.ts';
import type { Db, Tx } from '../../../platform/database/store.ts';
import { lockIntegrationRow, verdictColumns } from '../repository.ts';

/** The longest interval for an integration that keeps failing, in minutes. */
const DAY = 24 * 60;

/** Doublings beyond these change nothing: the shortest interval is 5 minutes. */
const MAX_DOUBLINGS = 10;

/** Minutes until the next validation by the service, by the number of failures in a row. */
export function pauseAfter(failures: number, everyMinutes: number): number {
  const doubled = everyMinutes * 2 ** Math.min(failures, MAX_DOUBLINGS);
  return Math.min(doubled, Math.max(everyMinutes, DAY));
}

/**
 * Takes integrations that are due, and first postpones their next validation, so that no other node takes
 * the same ones, and one that crashes the process is not retried at once. Archived ones are postponed too,
 * so that they do not fill the head of the index.
 */
export async function claimDue(db: Db, limit: number): Promise<Integration[]> {
  const rows = await db.$queryRaw<Integration[]>`
    UPDATE "Integration" SET "nextValidationAt" = now() + interval '1 minute' * least(
      "validateEveryMinutes" * power(2, least("failedValidations", ${MAX_DOUBLINGS}::int)),
      greatest("validateEveryMinutes", ${DAY}::int))
    WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Integration" WHERE "nextValidationAt" <= now()
      ORDER BY "nextValidationAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING *`;
  return rows.filter(({ archivedAt }) => archivedAt === null);
}

/**
 * Writes the result of the service's validation. Skips an integration that was archived, or had its configuration or
 * interval changed, meanwhile. Without a credential, reaching the server leaves the status alone, unless the service had
 * found the integration invalid before. An event tells of a status that has changed.
 */
export async function recordRevalidation(
  { db, record }: Pick<Tx, 'db' | 'record'>,
  integration: Integration,
  result: ProbeResult,
): Promise<void> {
  const { id, organizationId, validationEpoch, nextValidationAt, authMode } = integration;
  await lockIntegrationRow(db, organizationId, id);
  const present = await db.integration.findFirst({
    where: { id, organizationId, validationEpoch, nextValidationAt, archivedAt: null },
  });
  if (present === null) return;
  const { validationStatus } = present;
  const failedValidations = result.status === 'invalid' ? integration.failedValidations + 1 : 0;
  const isUntried = isPersonalMode(authMode) && result.status === 'pending';
  const isBack = validationStatus === 'invalid' && integration.failedValidations > 0;
  const isKept = isUntried && !isBack;
  await db.integration.update({
    where: { id },
    data: {
      failedValidations,
      nextValidationAt: nextAfter(integration, failedValidations),
      ...(isKept ? {} : verdictColumns(result)),
    },
  });
  const { status } = result;
  if (isKept || status === validationStatus) return;
  const actor = service(organizationId, 'validation');
  record({ action: 'integration.validated', actor, targetId: id, status });
}

function nextAfter({ validateEveryMinutes: minutes }: Integration, failures: number): Date | null {
  return minutes === null ? null : new Date(Date.now() + pauseAfter(failures, minutes) * 60_000);
}
