import { allowInsecureRequests, customFetch, revocationRequest } from 'oauth4webapi';
import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthHttp } from '../http.ts';
import { parseObject, textAt } from '../json-object.ts';
import { callUrl } from '../presets/find-preset.ts';
import type { OauthUpstream, TokenSet, UpstreamClient } from '../upstream.ts';
import { troubleOf, UpstreamOauthError } from '../upstream-error.ts';
import { clientAuthentication } from './request-tokens.ts';
import { revokeByCall } from './revoke-by-call.ts';

/** A token to end. */
export interface RevocationRequest {
  readonly server: UpstreamServer;
  readonly upstream: OauthUpstream;
  readonly client: UpstreamClient;
  readonly token: string;
  readonly hint: 'refresh_token' | 'access_token';
}

/** The outcome. `revoked`: the token is no longer valid, or never was. */
export type RevocationResult = 'revoked' | 'not_supported';

/**
 * Ends a token by RFC 7009, or in the provider's own way.
 *
 * @throws UpstreamOauthError
 */
export async function revokeToken(
  http: OauthHttp,
  request: RevocationRequest,
  signal: AbortSignal,
): Promise<RevocationResult> {
  const { server, upstream, client, token, hint } = request;
  const call = upstream.preset?.revocation;
  const url = callUrl(upstream.preset, call, server.issuer);
  if (call !== undefined && url !== undefined) {
    if (hint === 'refresh_token') return 'not_supported';
    return await revokeByCall(http, { call, url, client, token }, signal);
  }
  if (server.revocationEndpoint === undefined) return 'not_supported';
  const response = await revocationRequest(
    { issuer: server.issuer, revocation_endpoint: server.revocationEndpoint },
    { client_id: client.clientId },
    clientAuthentication({ ...client, authMethod: methodOf(server, client) }),
    token,
    {
      additionalParameters: { token_type_hint: hint },
      [customFetch]: http.fetch,
      [allowInsecureRequests]: true,
      signal,
    },
  );
  return resultOf(response.status, await response.text(), response.headers.get('retry-after'));
}

/** The method of the token endpoint, unless the server lists others for revocation. */
function methodOf(
  { revocationEndpointAuthMethods: methods }: UpstreamServer,
  { authMethod }: UpstreamClient,
): UpstreamClient['authMethod'] {
  if (authMethod === 'none' || !methods || methods.includes(authMethod)) return authMethod;
  const other = authMethod === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';
  return methods.includes(other) ? other : authMethod;
}

/** RFC 7009 section 2.2. */
function resultOf(status: number, text: string, retryAfter: string | null): RevocationResult {
  if (status >= 200 && status < 300) return 'revoked';
  const trouble = troubleOf(status, retryAfter);
  if (trouble !== undefined) throw trouble;
  const body = parseObject(text);
  const error = body && textAt(body, 'error', 200);
  // Google, of a token that has ended already.
  if (error === 'invalid_token' || error === 'invalid_grant') return 'revoked';
  const isMissing = status === 404 || status === 405;
  if (isMissing || error === 'unsupported_token_type') return 'not_supported';
  const isClient = status === 401 || error === 'invalid_client' || error === 'unauthorized_client';
  throw new UpstreamOauthError(isClient ? 'client_rejected' : 'request_rejected');
}

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
