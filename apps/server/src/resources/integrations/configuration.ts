import { isDeepStrictEqual } from 'node:util';
import type {
  IntegrationOauthInput,
  PutIntegrationOauthBody,
  UpdateIntegrationBody,
} from '@gatehouse/contract';
import { type OauthConfig, oauthConfigOf } from '../../credentials/oauth-config.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import type { IntegrationConfig } from './repository.ts';

/** The stored configuration of an integration. */
export function configOf(integration: Integration): IntegrationConfig {
  const { name, url, category, authMode, capabilities, credentialSchema } = integration;
  const { validateEveryMinutes } = integration;
  const oauth = oauthConfigOf(integration);
  return {
    name,
    url,
    category,
    authMode,
    capabilities,
    credentialSchema,
    oauth,
    validateEveryMinutes,
  };
}

/**
 * The configuration after a PATCH: absent fields stay, null clears, objects are replaced whole; of
 * `oauth` only the fields that every role can read.
 */
export function mergeConfig(before: IntegrationConfig, body: UpdateIntegrationBody) {
  const { name, url, category, authMode, capabilities, credentialSchema } = body;
  const { validateEveryMinutes } = body;
  return {
    name: name ?? before.name,
    url: url ?? before.url,
    category: category ?? before.category,
    authMode: authMode ?? before.authMode,
    capabilities: capabilities === undefined ? before.capabilities : capabilities,
    credentialSchema: credentialSchema === undefined ? before.credentialSchema : credentialSchema,
    oauth: oauthAfter(body, before),
    validateEveryMinutes:
      validateEveryMinutes === undefined ? before.validateEveryMinutes : validateEveryMinutes,
  } satisfies IntegrationConfig;
}

/**
 * The OAuth configuration after a create or PATCH of the integration. Where the mode `oauth` begins nothing
 * is stored, it is empty: everything is found out from the URL. A configuration that was removed stays
 * removed while the mode stays.
 */
export function oauthAfter(
  { authMode, oauth }: Pick<UpdateIntegrationBody, 'authMode' | 'oauth'>,
  before: Pick<IntegrationConfig, 'authMode' | 'oauth'> = { authMode: 'none', oauth: null },
): OauthConfig | null {
  if (oauth === null) return null;
  if (oauth !== undefined) return mergeOauthInput(before.oauth, oauth);
  const begins = authMode === 'oauth' && before.authMode !== 'oauth';
  return begins && before.oauth === null ? mergeOauthInput(null, {}) : before.oauth;
}

/**
 * Whether a change sets the validation back to `pending`: url, auth mode, OAuth configuration (a server
 * token does too, in the service). A new category or credential schema does not: see docs/decisions/validate.md.
 */
export function invalidatesValidation(
  before: IntegrationConfig,
  after: IntegrationConfig,
): boolean {
  return (
    before.url !== after.url ||
    before.authMode !== after.authMode ||
    !isDeepStrictEqual(before.oauth, after.oauth)
  );
}

/**
 * Whether calls go to another url, authenticate in another mode, or begin or cease to be proxied. Such
 * a change checks the url again and ends open sessions.
 */
export function changesRoute(before: IntegrationConfig, after: IntegrationConfig): boolean {
  return (
    before.url !== after.url ||
    before.authMode !== after.authMode ||
    before.category !== after.category
  );
}

/**
 * The `oauth` of a create or PATCH replaces the fields that every role can read, and leaves those of the
 * `/oauth` endpoints as they are.
 */
function mergeOauthInput(
  stored: OauthConfig | null,
  { provider, issuer, scopes = [] }: IntegrationOauthInput,
): OauthConfig {
  return withoutUndefined({ ...stored, provider, issuer, scopes });
}

/**
 * The configuration after a PUT of `/oauth`. The secrets of the body are stored separately. A new client
 * has the integration's own redirect URI; one that was entered with the shared one keeps it until the body
 * names the other.
 */
export function oauthConfigFrom(
  before: OauthConfig | null,
  { clientSecret: _secret, tokenParams, redirectUri, ...config }: PutIntegrationOauthBody,
  ownRedirectUri: string,
): OauthConfig {
  const names = Object.keys(tokenParams ?? {});
  const { clientId } = config;
  const isKept = clientId === before?.clientId && before?.hasOwnRedirectUri !== true;
  const hasOwnRedirectUri = !isKept || redirectUri === ownRedirectUri;
  return withoutUndefined({
    ...config,
    hasOwnRedirectUri: (clientId !== undefined && hasOwnRedirectUri) || undefined,
    tokenParamNames: names.length === 0 ? undefined : names,
  });
}

/** The form in which the database returns it, so that two configurations can be compared. */
function withoutUndefined(config: OauthConfig): OauthConfig {
  return JSON.parse(JSON.stringify(config)) as OauthConfig;
}
