import type { OauthHttp } from '../oauth/http.ts';
import { type IssuedTokens, revokeTokens } from '../oauth/revocation/revoke-tokens.ts';
import type { TokenSet } from '../oauth/upstream.ts';
import { UpstreamOauthError } from '../oauth/upstream-error.ts';

/** Milliseconds for all of it. */
const TIMEOUT = 5_000;

/** What a provider has given, and to which client. */
export interface Granted extends IssuedTokens {
  readonly tokens: TokenSet;
}

/**
 * Revokes tokens that are not stored, as far as the provider lets us. A failure changes nothing for the
 * person, and nobody has the tokens.
 */
export async function giveBack(http: OauthHttp, granted: Granted): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT);
  try {
    await revokeTokens(http, granted, () => signal);
  } catch (error) {
    if (!(error instanceof UpstreamOauthError)) throw error;
  }
}
