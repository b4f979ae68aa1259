import { isDeepStrictEqual } from 'node:util';
import type { UpdateIntegrationBody } from '@gatehouse/contract';
import { oauthConfigOf } from '../../credentials/oauth-config.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { withOauthInput } from './oauth-input.ts';
import type { IntegrationConfig, IntegrationRow } from './repository.ts';
import { hasServerTokenFor } from './secrets.ts';

/** The present configuration of an integration. */
export function configOf(integration: Integration): IntegrationConfig {
  const { name, url, category, authMode, capabilities, credentialSchema } = integration;
  const oauth = oauthConfigOf(integration);
  return { name, url, category, authMode, capabilities, credentialSchema, oauth };
}

/** The configuration as it will be: absent fields unchanged, null cleared, objects replaced whole. */
export function mergeConfig(current: IntegrationConfig, body: UpdateIntegrationBody) {
  const { name, url, category, authMode, capabilities, credentialSchema, oauth } = body;
  return {
    name: name ?? current.name,
    url: url ?? current.url,
    category: category ?? current.category,
    authMode: authMode ?? current.authMode,
    capabilities: capabilities === undefined ? current.capabilities : capabilities,
    credentialSchema: credentialSchema === undefined ? current.credentialSchema : credentialSchema,
    oauth: oauth ? withOauthInput(current.oauth, oauth) : oauth === null ? null : current.oauth,
  } satisfies IntegrationConfig;
}

/**
 * Refuses a proxied integration whose url names an address outside the egress policy.
 *
 * @throws ProblemError `egress_denied` at `/url`
 */
export function requireAllowedUrl(
  egress: Egress,
  { url, category, authMode }: Pick<IntegrationConfig, 'url' | 'category' | 'authMode'>,
): void {
  if (category !== 'gateway_remote_mcp') return;
  try {
    egress.checkUrl(url, authMode === 'none' ? 'nothing' : 'credentials');
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { code, message } = error;
    throw new ProblemError(code, message, { errors: [{ pointer: '/url', code, message }] });
  }
}

/**
 * An integration in mode `server_token` always has a token that may be sent to its url.
 *
 * @throws ProblemError `validation_failed` at `/serverToken`
 */
export function requireServerToken(
  current: IntegrationRow,
  merged: IntegrationConfig,
  serverToken: string | null | undefined,
): void {
  if (merged.authMode !== 'server_token' || typeof serverToken === 'string') return;
  if (serverToken === undefined && hasServerTokenFor(current.secrets, merged.url)) return;
  const message = 'Required: no server token is stored for this origin.';
  throw new ProblemError('validation_failed', 'The mode server_token needs a server token.', {
    errors: [{ pointer: '/serverToken', code: 'required', message }],
  });
}

/** Whether what a validation tested is no longer what is configured. */
export function invalidatesValidation(
  current: IntegrationConfig,
  merged: IntegrationConfig,
): boolean {
  return (
    current.url !== merged.url ||
    current.authMode !== merged.authMode ||
    !isDeepStrictEqual(current.oauth, merged.oauth)
  );
}

/** Whether open sessions belong to an upstream, or a way of authenticating, that is no longer used. */
export function endsSessions(current: IntegrationConfig, merged: IntegrationConfig): boolean {
  return (
    current.url !== merged.url ||
    current.authMode !== merged.authMode ||
    current.category !== merged.category
  );
}
