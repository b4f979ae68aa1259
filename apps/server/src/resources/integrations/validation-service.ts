import type { DiscoverIntegrationResponse, ValidateIntegrationResponse } from '@gatehouse/contract';
import { probeTargetOf } from '../../credentials/probe/probe-target.ts';
import type { Prober } from '../../credentials/probe/prober.ts';
import type { Egress } from '../../egress/egress.ts';
import { actorOfCaller, type PersonCaller } from '../../identity/caller.ts';
import { type Mutation, record } from '../../identity/mutation.ts';
import type { Db, Store } from '../../platform/database/store.ts';
import { type IntegrationRow, updateValidation } from './repository.ts';
import { requireActive, requireAllowedUrl } from './rules.ts';
import { requireIntegration } from './service.ts';

/** The outcome of a validation, and the configuration that it tested. */
export interface Validation {
  readonly integration: IntegrationRow;
  readonly result: ValidateIntegrationResponse;
}

/**
 * Tests an integration with the caller's credential, outside of any transaction.
 *
 * @throws ProblemError `not_found`, `archived`
 */
export async function validateIntegration(
  db: Db,
  { prober }: { readonly prober: Prober },
  actor: PersonCaller,
  id: string,
): Promise<Validation> {
  const integration = await requireIntegration(db, actor, id);
  requireActive(integration);
  const result = await prober.probe(probeTargetOf(integration), actor.userId);
  return { integration, result };
}

/**
 * Writes the result, unless the configuration has changed or the integration has been archived
 * since: then nothing is written, and the response says `pending`.
 */
export async function recordValidation(
  mutation: Mutation,
  { integration, result }: Validation,
): Promise<ValidateIntegrationResponse> {
  if (await updateValidation(mutation.tx.db, integration, result)) {
    const { status } = result;
    // Every node reads its lists again, also where they had failed.
    if (status === 'valid') mutation.tx.announce({ kind: 'tools', id: integration.id });
    record(mutation, integration.id, { action: 'integration.validated', status });
    return result;
  }
  return {
    status: 'pending',
    message: 'The integration was changed during the validation. Validate it again.',
    stages: result.stages,
  };
}

/** Probes a URL that is not an integration yet. @throws ProblemError `egress_denied` at `/url` */
export async function discoverIntegration(
  {
    store,
    prober,
    egress,
  }: { readonly store: Store; readonly prober: Prober; readonly egress: Egress },
  actor: PersonCaller,
  url: string,
): Promise<DiscoverIntegrationResponse> {
  requireAllowedUrl(egress, { url, category: 'gateway_remote_mcp', authMode: 'none' });
  const found = await prober.discover(url, actor);
  const { organizationId: targetId } = actor;
  const event = { actor: actorOfCaller(actor), targetId, host: new URL(url).host };
  await store.transaction(async (tx) =>
    tx.record({ action: 'organization.server_discovered', ...event }),
  );
  return found;
}
