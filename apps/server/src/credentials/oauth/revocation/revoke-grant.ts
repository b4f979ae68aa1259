import type { OauthGrant } from '../grant.ts';
import type { OauthHttp } from '../http.ts';
import { presetOf } from '../presets/find-preset.ts';
import type { RevocationResult } from '../tokens/revoke-token.ts';
import type { OauthUpstream } from '../upstream.ts';
import { revokeTokens } from './revoke-tokens.ts';

/** Milliseconds for each request. */
const TIMEOUT = 10_000;

/**
 * Revokes the tokens of a grant where they came from, whatever the integration's configuration is by now.
 *
 * @throws UpstreamOauthError
 */
export function revokeGrant(
  http: OauthHttp,
  { organizationId, integrationId }: Pick<OauthUpstream, 'organizationId' | 'integrationId'>,
  { server, client, provider, ...tokens }: OauthGrant,
): Promise<RevocationResult> {
  const upstream = {
    organizationId,
    integrationId,
    url: server.issuer,
    config: { scopes: [], provider },
    preset: presetOf(provider),
  };
  const issued = { server, upstream, client, tokens };
  return revokeTokens(http, issued, () => AbortSignal.timeout(TIMEOUT));
}
