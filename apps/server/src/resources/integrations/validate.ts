import type { ValidateIntegrationResponse } from '@gatehouse/contract';
import { credentialTargetOf } from '../../credentials/target.ts';
import type { Actor } from '../../identity/actor.ts';
import type { Deps } from '../deps.ts';
import { requireActive } from './policy.ts';
import { writeValidation } from './repository.ts';
import { requireIntegration } from './service.ts';

/**
 * Tests an integration with the caller's credential and notes the result. Nothing is locked while
 * the upstream is asked; what changed meanwhile stays `pending`.
 *
 * @throws ProblemError `not_found`, `archived`
 */
export async function validateIntegration(
  { store, prober }: Pick<Deps, 'store' | 'prober'>,
  actor: Actor,
  id: string,
): Promise<ValidateIntegrationResponse> {
  const integration = await requireIntegration(store.db, actor, id);
  requireActive(integration);
  const { status, message } = await prober.probe(credentialTargetOf(integration), actor.userId);
  if (await writeValidation(store.db, integration, { status, message })) return { status, message };
  return {
    status: 'pending',
    message: 'The integration was changed while it was validated. Validate it again.',
  };
}
