import { isOauthConfigured } from '@gatehouse/contract';
import type { Integration } from '../generated/prisma/client.ts';
import type { AuthMode, Category } from '../generated/prisma/enums.ts';
import { oauthConfigOf } from './oauth-config.ts';

/** The properties of an integration that credentials depend on. The gateway caches them with the route. */
export interface CredentialTarget {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly url: string;
  readonly category: Category;
  readonly authMode: AuthMode;
  readonly credentialSchema: unknown;
  readonly oauthIssuer: string | undefined;
  readonly oauthClientId: string | undefined;
  /** Whether an OAuth configuration is stored, with or without an issuer. */
  readonly isOauthConfigured: boolean;
}

type TargetColumns =
  | 'organizationId'
  | 'id'
  | 'url'
  | 'category'
  | 'authMode'
  | 'credentialSchema'
  | 'oauth';

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
    isOauthConfigured: isOauthConfigured(oauth),
  };
}

/** Whether each person uses an integration of this mode with their own credential. */
export function isPersonalMode(mode: AuthMode): boolean {
  return mode === 'user_token' || mode === 'oauth';
}
