import type { IntegrationOauthInput, PutIntegrationOauthBody } from '@gatehouse/contract';
import type { OauthConfig } from '../../credentials/oauth-config.ts';

/**
 * The configuration after a create or PATCH of the integration. Its `oauth` replaces the fields that
 * every role can read, and leaves those of the `/oauth` endpoints as they are.
 */
export function mergeOauthInput(
  stored: OauthConfig | null,
  { provider, issuer, scopes = [] }: IntegrationOauthInput,
): OauthConfig {
  return withoutUndefined({ ...stored, provider, issuer, scopes });
}

/** The configuration after a PUT of `/oauth`. The secrets of the body are stored separately. */
export function oauthConfigFrom({
  clientSecret: _secret,
  tokenParams,
  ...config
}: PutIntegrationOauthBody): OauthConfig {
  const names = Object.keys(tokenParams ?? {});
  return withoutUndefined({ ...config, tokenParamNames: names.length === 0 ? undefined : names });
}

/** The form in which the database returns it, so that two configurations can be compared. */
function withoutUndefined(config: OauthConfig): OauthConfig {
  return JSON.parse(JSON.stringify(config)) as OauthConfig;
}
