import { inTime } from '../../credentials/probe/probe-clock.ts';
import { probeTargetOf } from '../../credentials/probe/probe-target.ts';
import type { Prober } from '../../credentials/probe/prober.ts';
import { service } from '../../identity/actor.ts';
import type { Store } from '../../platform/database/store.ts';
import { updateValidation } from './repository.ts';

export interface ValidateAfterConnectingDeps {
  readonly store: Store;
  readonly prober: Pick<Prober, 'probe'>;
  readonly onError: (error: unknown) => void;
}

/** A person who has just connected. */
interface Person {
  readonly organizationId: string;
  readonly userId: string;
}

/** Milliseconds that a browser may have to wait. The validation continues. */
const PATIENCE = 2_000;

/**
 * Tries the credential of a person who has just connected, where no validation counts yet. Only success
 * is recorded: one person's refused credential says nothing about other people's. Never rejects, and
 * takes two seconds at most.
 */
export async function validateAfterConnecting(
  deps: ValidateAfterConnectingDeps,
  person: Person,
  integrationId: string,
): Promise<void> {
  const validating = validateIfPending(deps, person, integrationId).catch(deps.onError);
  await inTime(validating, AbortSignal.timeout(PATIENCE));
}

async function validateIfPending(
  { store, prober }: ValidateAfterConnectingDeps,
  { organizationId, userId }: Person,
  integrationId: string,
): Promise<void> {
  const integration = await store.db.integration.findFirst({
    where: { id: integrationId, organizationId, archivedAt: null, validationStatus: 'pending' },
  });
  if (integration === null) return;
  const result = await prober.probe(probeTargetOf(integration), userId);
  const { status } = result;
  if (status !== 'valid') return;
  const actor = service(organizationId, 'validation');
  await store.transaction(async ({ db, record }) => {
    const isWritten = await updateValidation(db, integration, result);
    if (isWritten) {
      record({ action: 'integration.validated', actor, targetId: integrationId, status });
    }
  });
}
