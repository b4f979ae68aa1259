import type { UpstreamServer } from '../oauth/discovery/upstream-server.ts';
import type { OauthHttp } from '../oauth/http.ts';
import { revokeToken } from '../oauth/tokens/revoke-token.ts';
import type { OauthUpstream, TokenSet, UpstreamClient } from '../oauth/upstream.ts';
import { UpstreamOauthError } from '../oauth/upstream-error.ts';

/** Milliseconds for all of it. */
const TIMEOUT = 5_000;

/** What a provider has given, and to which client. */
export interface Granted {
  readonly server: UpstreamServer;
  readonly upstream: OauthUpstream;
  readonly client: UpstreamClient;
  readonly tokens: TokenSet;
}

/**
 * Revokes tokens that are not stored, as far as the provider lets us. A failure changes nothing for the
 * person, and nobody has the tokens.
 */
export async function giveBack(http: OauthHttp, { tokens, ...rest }: Granted): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const given = [
    [tokens.refreshToken, 'refresh_token'],
    [tokens.accessToken, 'access_token'],
  ] as const;
  for (const [token, hint] of given) {
    if (token === undefined) continue;
    try {
      await revokeToken(http, { ...rest, token, hint }, signal);
    } catch (error) {
      if (!(error instanceof UpstreamOauthError)) throw error;
    }
  }
}
