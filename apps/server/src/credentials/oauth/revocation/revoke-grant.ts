import type { OauthGrant } from '../grant.ts';
import type { OauthHttp } from '../http.ts';
import { presetOf } from '../presets/find-preset.ts';
import { revokeToken } from '../tokens/revoke-token.ts';
import type { OauthUpstream } from '../upstream.ts';

/** Milliseconds for each request. */
const TIMEOUT = 10_000;

/**
 * Revokes the refresh token first and then the access token, each on its own: a failure of one must not leave
 * the other alive.
 *
 * @throws UpstreamOauthError the first failure
 */
export async function revokeGrant(
  http: OauthHttp,
  { organizationId, integrationId }: Pick<OauthUpstream, 'organizationId' | 'integrationId'>,
  { server, client, provider, refreshToken, accessToken }: OauthGrant,
): Promise<'revoked' | 'not_supported'> {
  const config = { scopes: [], provider };
  const upstream = {
    organizationId,
    integrationId,
    url: server.issuer,
    config,
    preset: presetOf(provider),
  };
  const tokens = [
    ...(refreshToken === undefined ? [] : [[refreshToken, 'refresh_token'] as const]),
    [accessToken, 'access_token'] as const,
  ];
  const failures: unknown[] = [];
  let revoked: 'revoked' | 'not_supported' = 'not_supported';
  for (const [token, hint] of tokens) {
    try {
      const request = { server, upstream, client, token, hint };
      const result = await revokeToken(http, request, AbortSignal.timeout(TIMEOUT));
      if (result === 'revoked') revoked = result;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return revoked;
}
