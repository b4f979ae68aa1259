import type { ConnectLinks, MadeConnectLink } from '../../credentials/connect/connect-links.ts';
import type { Mutation } from '../../identity/mutation.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { requireActive, requireOauth } from '../integrations/policy.ts';
import { lockIntegrationForShare } from '../integrations/service.ts';

interface ReturnOrigins {
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
}

/**
 * Keeps the service from sending a browser to any page that somebody names.
 *
 * @throws ProblemError `validation_failed` at `/returnTo`
 */
export function requireAllowedReturn(
  { publicUrl, allowedOrigins }: ReturnOrigins,
  returnTo: string | undefined,
): void {
  if (returnTo === undefined) return;
  const { origin } = new URL(returnTo);
  if (origin === new URL(publicUrl).origin || allowedOrigins.includes(origin)) return;
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
