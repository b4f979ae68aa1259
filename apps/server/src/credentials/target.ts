import type { Integration } from '../generated/prisma/client.ts';
import { oauthConfigOf } from './oauth-config.ts';
import type { CredentialTarget } from './outcome.ts';

type TargetColumns =
  | 'organizationId'
  | 'id'
  | 'url'
  | 'category'
  | 'authMode'
  | 'credentialSchema'
  | 'oauth';

/** The properties of an integration that its credentials depend on. */
export function credentialTargetOf(
  integration: Pick<Integration, TargetColumns>,
): CredentialTarget {
  const { organizationId, id, url, category, authMode, credentialSchema } = integration;
  const oauth = oauthConfigOf(integration);
  return {
    organizationId,
    integrationId: id,
    url,
    category,
    authMode,
    credentialSchema,
    oauthIssuer: oauth?.issuer,
    oauthClientId: oauth?.clientId,
  };
}
