import type { IntegrationOauthInput, PutIntegrationOauthBody } from '@gatehouse/contract';
import type { OauthConfig } from '../../credentials/oauth-config.ts';

/**
 * What create and PATCH of an integration make of their `oauth`: it replaces the fields that every
 * role reads and leaves those of the OAuth endpoints as they are.
 */
export function withOauthInput(
  stored: OauthConfig | null,
  { provider, issuer, scopes = [] }: IntegrationOauthInput,
): OauthConfig {
  return asStored({ ...stored, provider, issuer, scopes });
}

/** The configuration a PUT replaces everything with; the secrets of its body are stored apart. */
export function replacementOf({
  clientSecret: _secret,
  tokenParams,
  ...config
}: PutIntegrationOauthBody): OauthConfig {
  const names = Object.keys(tokenParams ?? {});
  return asStored({ ...config, tokenParamNames: names.length === 0 ? undefined : names });
}

/** Without the unset fields, as it is read back: two configurations are compared in this form. */
function asStored(config: OauthConfig): OauthConfig {
  return JSON.parse(JSON.stringify(config)) as OauthConfig;
}
