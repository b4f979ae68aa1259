import type { OauthHttp } from '../http.ts';
import type { TokenSet } from '../upstream.ts';
import { requestTokens, type TokenParties } from './request-tokens.ts';

/** A refresh token, with the scopes that were granted or requested. */
export interface RefreshGrant extends TokenParties {
  readonly refreshToken: string;
  readonly scopes: readonly string[];
}

/**
 * Refreshes (RFC 6749 section 6). A refresh token in the answer replaces the one sent; without one, the
 * one sent stays in use. Scopes are repeated only where the provider wants it: elsewhere that is the
 * default, and some refuse scopes that they spelled otherwise.
 *
 * @throws UpstreamOauthError `grant_rejected` if the refresh token is no longer valid
 */
export function refreshTokens(
  http: OauthHttp,
  { refreshToken, scopes, ...parties }: RefreshGrant,
  signal: AbortSignal,
): Promise<TokenSet> {
  const { preset } = parties.upstream;
  const scope = scopes.join(preset?.scopeSeparator ?? ' ');
  const isRepeated = preset?.hasScopeInRefresh === true && scope !== '';
  const params = { refresh_token: refreshToken, ...(isRepeated ? { scope } : {}) };
  return requestTokens(http, parties, { type: 'refresh_token', params }, signal);
}
