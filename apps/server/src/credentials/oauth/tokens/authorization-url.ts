import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthUpstream, UpstreamClient } from '../upstream.ts';
import { listsOfflineAccess, OFFLINE_ACCESS, scopesToRequest } from './scopes-to-request.ts';

/** The parameters of one attempt to connect. */
export interface AuthorizationAttempt {
  readonly redirectUri: string;
  readonly state: string;
  /** S256 of the code verifier, base64url. */
  readonly codeChallenge: string;
  /** Sent where an ID token is asked for. */
  readonly nonce: string;
  /** Default: {@link scopesToRequest}. */
  readonly scopes?: readonly string[];
}

/**
 * Where the browser goes to grant access. Discovery has checked that the endpoint is http(s).
 * Parameters of the flow replace others of the same name.
 */
export function authorizationUrl(
  server: UpstreamServer,
  upstream: OauthUpstream,
  client: Pick<UpstreamClient, 'clientId'>,
  { redirectUri, state, codeChallenge, nonce, scopes }: AuthorizationAttempt,
): URL {
  const { config, preset } = upstream;
  const requested = scopes ?? scopesToRequest(server, upstream);
  const hasConsent = requested.includes(OFFLINE_ACCESS) && listsOfflineAccess(server);
  const url = new URL(server.authorizationEndpoint);
  const parameters = {
    // OpenID Connect Core 1.0 section 11 wants it with `offline_access`.
    ...(hasConsent ? { prompt: 'consent' } : {}),
    ...preset?.authorizationParams,
    ...config.authorizationParams,
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    ...(requested.length === 0 ? {} : { scope: requested.join(preset?.scopeSeparator ?? ' ') }),
    ...(wantsIdToken(requested) ? { nonce } : {}),
    ...(server.resource === undefined ? {} : { resource: server.resource }),
    ...(sendsPkce(server, upstream)
      ? { code_challenge: codeChallenge, code_challenge_method: 'S256' }
      : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** OpenID Connect Core 1.0 section 3.1.2.1. */
export function wantsIdToken(scopes: readonly string[]): boolean {
  return scopes.includes('openid');
}

/**
 * Whether to use PKCE: always, unless the provider is known to fail with it and its metadata does not list
 * S256.
 */
export function sendsPkce(
  { codeChallengeMethods }: Pick<UpstreamServer, 'codeChallengeMethods'>,
  { preset }: Pick<OauthUpstream, 'preset'>,
): boolean {
  return preset?.pkce !== 'off' || (codeChallengeMethods?.includes('S256') ?? false);
}
