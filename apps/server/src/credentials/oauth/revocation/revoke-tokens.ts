import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthHttp } from '../http.ts';
import { type RevocationResult, revokeToken } from '../tokens/revoke-token.ts';
import type { OauthUpstream, TokenSet, UpstreamClient } from '../upstream.ts';
import { UpstreamOauthError } from '../upstream-error.ts';

/** Tokens, where they came from, and to which client. */
export interface IssuedTokens {
  readonly server: UpstreamServer;
  readonly upstream: OauthUpstream;
  readonly client: UpstreamClient;
  readonly tokens: Pick<TokenSet, 'accessToken' | 'refreshToken'>;
}

/**
 * Revokes the refresh token first and then the access token, each on its own: a failure of one must not leave
 * the other alive.
 *
 * @param signalOf the deadline of the next request
 * @throws UpstreamOauthError the first failure
 */
export async function revokeTokens(
  http: OauthHttp,
  { tokens, ...parties }: IssuedTokens,
  signalOf: () => AbortSignal,
): Promise<RevocationResult> {
  const issued = [
    [tokens.refreshToken, 'refresh_token'],
    [tokens.accessToken, 'access_token'],
  ] as const;
  const failures: UpstreamOauthError[] = [];
  let revoked: RevocationResult = 'not_supported';
  for (const [token, hint] of issued) {
    if (token === undefined) continue;
    try {
      const result = await revokeToken(http, { ...parties, token, hint }, signalOf());
      if (result === 'revoked') revoked = result;
    } catch (error) {
      if (!(error instanceof UpstreamOauthError)) throw error;
      failures.push(error);
    }
  }
  if (failures[0] !== undefined) throw failures[0];
  return revoked;
}
