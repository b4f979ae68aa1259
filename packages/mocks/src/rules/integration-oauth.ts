import {
  credentialFailures,
  type IntegrationOauth,
  type IntegrationOauthConfig,
  isOauthConfigured,
  type PutIntegrationOauthBody,
  redirectUriAt,
  refusalTexts,
  type UpdateIntegrationBody,
} from '@gatehouse/contract';
import { Refusal } from '../http/refusal.ts';
import type { IntegrationRow, OauthConfig, SecretKind } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { deleteConnection } from './connections.ts';
import { hasSecret, oauthSecretDestination } from './destinations.ts';
import { revokeSessions } from './sessions.ts';

/** @throws Refusal `auth_mode_mismatch`, `oauth_not_configured` */
export function requireOauth({ authMode, oauth }: IntegrationRow): void {
  if (authMode !== 'oauth') {
    throw new Refusal('auth_mode_mismatch', refusalTexts.notOauth);
  }
  if (isOauthConfigured(oauth)) return;
  throw new Refusal(
    'oauth_not_configured',
    `${credentialFailures.oauth_not_configured.sentence} Set one with PUT.`,
  );
}

/**
 * Applies the `oauth` of a create or PATCH: null clears, and fields that only the OAuth endpoints set do
 * not change. In a mode `oauth` that begins without any, all of it is found out from the URL.
 */
export function withOauthInput(
  { authMode, oauth }: Pick<UpdateIntegrationBody, 'authMode' | 'oauth'>,
  current?: IntegrationRow,
): OauthConfig | null {
  const stored = current?.oauth ?? null;
  if (oauth === undefined) {
    const begins = authMode === 'oauth' && current?.authMode !== 'oauth';
    return stored === null && begins ? { scopes: [] } : stored;
  }
  if (oauth === null) return null;
  const { provider, issuer, scopes = [] } = oauth;
  return { ...stored, provider, issuer, scopes };
}

export function presentOauth({ provider, issuer, scopes }: OauthConfig): IntegrationOauth {
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(issuer === undefined ? {} : { issuer }),
    scopes: [...scopes],
  };
}

/**
 * An OAuth configuration without its secrets, as owners and admins may read it; empty if nothing is
 * configured.
 */
export function presentOauthConfig(
  integration: IntegrationRow,
  publicUrl: string,
): IntegrationOauthConfig {
  const oauth = integration.oauth ?? { scopes: [] };
  const { clientId, tokenEndpointAuthMethod, authorizationParams, resource } = oauth;
  const destination = oauthSecretDestination(oauth);
  return {
    ...presentOauth(oauth),
    ...(clientId === undefined ? {} : { clientId }),
    clientSecretConfigured: hasSecret(integration, 'oauth_client_secret', destination),
    ...(tokenEndpointAuthMethod === undefined ? {} : { tokenEndpointAuthMethod }),
    ...(authorizationParams === undefined ? {} : { authorizationParams }),
    ...(hasSecret(integration, 'oauth_token_params', destination)
      ? { tokenParamNames: [...(oauth.tokenParamNames ?? [])] }
      : {}),
    ...(resource === undefined ? {} : { resource }),
    redirectUri: redirectUriAt(publicUrl, integration.id),
  };
}

/** @throws Refusal `validation_failed` for a redirect URI of another integration */
export function checkRedirectUri(own: string, { redirectUri }: PutIntegrationOauthBody): void {
  if (redirectUri === undefined || redirectUri === own) return;
  throw new Refusal('validation_failed', 'The client cannot have that redirect URI.', {
    errors: [{ pointer: '/redirectUri', code: 'invalid_value', message: `Must be ${own}.` }],
  });
}

/** The configuration and secrets after a PUT. Only a client secret is kept, for the same destination. */
export function replaceOauth(
  current: IntegrationRow,
  body: PutIntegrationOauthBody,
): { oauth: OauthConfig; secrets: ReadonlyMap<SecretKind, string>; secretsChanged: boolean } {
  const { clientSecret, tokenParams, redirectUri: _own, ...config } = body;
  const destination = oauthSecretDestination(config);
  const names = Object.keys(tokenParams ?? {});
  const tokenParamNames = names.length === 0 ? undefined : names;
  const given = { oauth_client_secret: clientSecret, oauth_token_params: tokenParamNames ?? null };
  const secrets = new Map(current.secrets);
  let secretsChanged = false;
  for (const kind of ['oauth_client_secret', 'oauth_token_params'] as const) {
    if (given[kind] === undefined && hasSecret(current, kind, destination)) continue;
    const isGiven = given[kind] !== undefined && given[kind] !== null;
    secretsChanged ||= isGiven || secrets.has(kind);
    secrets.delete(kind);
    if (isGiven) secrets.set(kind, destination);
  }
  return { oauth: { ...config, tokenParamNames }, secrets, secretsChanged };
}

/** Removes an OAuth configuration with its secrets, the tokens of all users and their sessions. */
export function wipeOauth(state: State, current: IntegrationRow): IntegrationRow {
  const { id, authMode } = current;
  for (const [key, connection] of state.connections) {
    const isOauth = connection.integrationId === id && connection.mode === 'oauth';
    if (isOauth) deleteConnection(state, key);
  }
  if (authMode === 'oauth') revokeSessions(state, ({ integrationId }) => integrationId === id);
  const secrets = new Map(current.secrets);
  secrets.delete('oauth_client_secret');
  secrets.delete('oauth_token_params');
  return { ...current, oauth: null, secrets };
}
