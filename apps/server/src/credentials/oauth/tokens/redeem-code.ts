import type { OauthHttp } from '../http.ts';
import type { TokenSet } from '../upstream.ts';
import { requestTokens, type TokenParties } from './request-tokens.ts';
import { sendsPkce } from './sends-pkce.ts';

/** A code, with what belongs to its attempt. */
export interface CodeGrant extends TokenParties {
  readonly code: string;
  readonly codeVerifier: string;
  /** The same as in the authorization request. */
  readonly redirectUri: string;
}

/** Redeems a code (RFC 6749 section 4.1.3). Never twice: a provider may then end the grant. @throws UpstreamOauthError */
export function redeemCode(
  http: OauthHttp,
  { code, codeVerifier, redirectUri, ...parties }: CodeGrant,
  signal: AbortSignal,
): Promise<TokenSet> {
  const proof = sendsPkce(parties.server, parties.upstream) ? { code_verifier: codeVerifier } : {};
  const params = { code, redirect_uri: redirectUri, ...proof };
  return requestTokens(http, parties, { type: 'authorization_code', params }, signal);
}
