import type { ValidateIntegrationResponse } from '@gatehouse/contract';
import { probeTargetOf } from '../../credentials/probe/probe-target.ts';
import type { Prober } from '../../credentials/probe/prober.ts';
import type { Actor } from '../../identity/actor.ts';
import type { Db } from '../../platform/database/store.ts';
import { requireActive, requirePersonalMode } from '../integrations/policy.ts';
import { requireIntegration } from '../integrations/service.ts';

/**
 * Tries the caller's own credential. What it finds about the credential is noted with the connection;
 * the validation of the integration stays as it is.
 *
 * @throws ProblemError `not_found`, `archived`, `auth_mode_mismatch`
 */
export async function testConnection(
  db: Db,
  { prober }: { readonly prober: Prober },
  actor: Actor,
  integrationId: string,
): Promise<ValidateIntegrationResponse> {
  const integration = await requireIntegration(db, actor, integrationId);
  requireActive(integration);
  requirePersonalMode(integration);
  return prober.probe(probeTargetOf(integration), actor.userId);
}
