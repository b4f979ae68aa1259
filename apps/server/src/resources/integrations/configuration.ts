import { isDeepStrictEqual } from 'node:util';
import type { UpdateIntegrationBody } from '@gatehouse/contract';
import { oauthConfigOf } from '../../credentials/oauth-config.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { replaceOauthInput } from './oauth-configuration.ts';
import type { IntegrationConfig } from './repository.ts';

/** The stored configuration of an integration. */
export function configOf(integration: Integration): IntegrationConfig {
  const { name, url, category, authMode, capabilities, credentialSchema } = integration;
  const oauth = oauthConfigOf(integration);
  return { name, url, category, authMode, capabilities, credentialSchema, oauth };
}

/** The configuration after a PATCH: absent fields stay, null clears, objects are replaced whole. */
export function mergeConfig(before: IntegrationConfig, body: UpdateIntegrationBody) {
  const { name, url, category, authMode, capabilities, credentialSchema, oauth } = body;
  return {
    name: name ?? before.name,
    url: url ?? before.url,
    category: category ?? before.category,
    authMode: authMode ?? before.authMode,
    capabilities: capabilities === undefined ? before.capabilities : capabilities,
    credentialSchema: credentialSchema === undefined ? before.credentialSchema : credentialSchema,
    oauth: oauth ? replaceOauthInput(before.oauth, oauth) : oauth === null ? null : before.oauth,
  } satisfies IntegrationConfig;
}

/** Whether the last validation tested something else than what is now configured. */
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

/** Whether calls go to another address, carry a credential that they did not carry, or are no longer proxied. */
export function changesDestination(before: IntegrationConfig, after: IntegrationConfig): boolean {
  return (
    before.url !== after.url ||
    before.authMode !== after.authMode ||
    before.category !== after.category
  );
}
