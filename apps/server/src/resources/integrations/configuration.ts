import { isDeepStrictEqual } from 'node:util';
import type { UpdateIntegrationBody } from '@gatehouse/contract';
import { type OauthConfig, oauthConfigOf } from '../../credentials/oauth-config.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { mergeOauthInput } from './oauth-configuration.ts';
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
  const { name, url, category, authMode, capabilities, credentialSchema, oauth } = body;
  const { validateEveryMinutes } = body;
  return {
    name: name ?? before.name,
    url: url ?? before.url,
    category: category ?? before.category,
    authMode: authMode ?? before.authMode,
    capabilities: capabilities === undefined ? before.capabilities : capabilities,
    credentialSchema: credentialSchema === undefined ? before.credentialSchema : credentialSchema,
    oauth: mergeOauth(before.oauth, oauth),
    validateEveryMinutes:
      validateEveryMinutes === undefined ? before.validateEveryMinutes : validateEveryMinutes,
  } satisfies IntegrationConfig;
}

function mergeOauth(
  before: OauthConfig | null,
  oauth: UpdateIntegrationBody['oauth'],
): OauthConfig | null {
  if (oauth === undefined) return before;
  return oauth === null ? null : mergeOauthInput(before, oauth);
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
