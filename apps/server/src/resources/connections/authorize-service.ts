import type { ConnectLinks, MadeConnectLink } from '../../credentials/connect/connect-links.ts';
import { allowedReturnUrl } from '../../credentials/connect/return-url.ts';
import type { Mutation } from '../../identity/mutation.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { requireActive, requireOauth } from '../integrations/policy.ts';
import { lockIntegrationForShare } from '../integrations/service.ts';

/**
 * Keeps the service from sending a browser to any page that somebody names.
 *
 * @throws ProblemError `validation_failed` at `/returnTo`
 */
export function requireAllowedReturn(
  { returnOrigins }: { readonly returnOrigins: ReadonlySet<string> },
  returnTo: string | undefined,
): void {
  if (returnTo === undefined || allowedReturnUrl(returnTo, returnOrigins) !== undefined) return;
  const message = 'Must have an origin of GATEHOUSE_ALLOWED_ORIGINS.';
  throw new ProblemError('validation_failed', 'The browser cannot return to that origin.', {
    errors: [{ pointer: '/returnTo', code: 'invalid_value', message }],
  });
}

/**
 * Makes a link by which the caller connects by OAuth.
 *
 * @throws ProblemError `not_found`, `archived`, `auth_mode_mismatch`, `oauth_not_configured`
 */
export async function authorizeConnection(
  mutation: Mutation,
  { connectLinks }: { readonly connectLinks: ConnectLinks },
  integrationId: string,
  returnTo: string | undefined,
): Promise<MadeConnectLink> {
  const { tx, actor } = mutation;
  const integration = await lockIntegrationForShare(mutation, integrationId);
  requireActive(integration);
  requireOauth(integration);
  return connectLinks.create(tx, { actor, integration, returnTo });
}
