import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretPost,
  customFetch,
  genericTokenEndpointRequest,
  None,
} from 'oauth4webapi';
import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthHttp } from '../http.ts';
import type { OauthUpstream, TokenSet, UpstreamClient } from '../upstream.ts';
import { sendsPkce } from './authorization-url.ts';
import { readTokenResponse } from './read-token-response.ts';

/** The client that requests tokens, and the server that it requests them from. */
export interface TokenParties {
  readonly server: UpstreamServer;
  readonly upstream: OauthUpstream;
  readonly client: UpstreamClient;
  /** The token parameters of the configuration, with their values. */
  readonly tokenParams: Readonly<Record<string, string>> | undefined;
}

/** The grant of a token request. */
export interface GrantRequest {
  readonly type: 'authorization_code' | 'refresh_token';
  readonly params: Readonly<Record<string, string>>;
}

/**
 * One request to the token endpoint. Parameters of the grant replace others of the same name.
 *
 * @throws UpstreamOauthError
 */
async function requestTokens(
  http: OauthHttp,
  { server, upstream, client, tokenParams }: TokenParties,
  { type, params }: GrantRequest,
  signal: AbortSignal,
): Promise<TokenSet> {
  const { preset } = upstream;
  const sentAt = Date.now();
  const response = await genericTokenEndpointRequest(
    { issuer: server.issuer, token_endpoint: server.tokenEndpoint },
    { client_id: client.clientId },
    clientAuthentication(client),
    type,
    {
      ...preset?.tokenParams,
      ...tokenParams,
      ...(server.resource === undefined ? {} : { resource: server.resource }),
      ...params,
    },
    // The egress policy decides which plain http is allowed.
    { [customFetch]: http.fetch, [allowInsecureRequests]: true, signal },
  );
  return readTokenResponse(
    {
      status: response.status,
      text: await response.text(),
      retryAfter: response.headers.get('retry-after'),
    },
    {
      preset,
      isRefresh: type === 'refresh_token',
      sentAt,
      secrets: secretsOf(client, { ...tokenParams, ...params }),
    },
  );
}

function secretsOf(
  { clientSecret }: UpstreamClient,
  { redirect_uri: _redirectUri, scope: _scope, ...params }: Readonly<Record<string, string>>,
): readonly string[] {
  return [...Object.values(params), ...(clientSecret === undefined ? [] : [clientSecret])];
}

/** A code, with the parameters of its attempt. */
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

/** An empty secret is never sent: strict servers refuse `client_secret=` from a public client. */
export function clientAuthentication({
  clientSecret,
  authMethod,
}: Pick<UpstreamClient, 'clientSecret' | 'authMethod'>): ClientAuth {
  if (!clientSecret || authMethod === 'none') return None();
  return authMethod === 'client_secret_post'
    ? ClientSecretPost(clientSecret)
    : clientSecretBasic(clientSecret);
}

/**
 * HTTP Basic with the form encoding of RFC 6749 section 2.3.1. oauth4webapi encodes `-`, `.` and `_` too;
 * form encoding leaves them, and many servers do not decode what they compare.
 */
function clientSecretBasic(clientSecret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const pair = `${formEncoded(client_id)}:${formEncoded(clientSecret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };
}

/** `application/x-www-form-urlencoded`, of one value. */
function formEncoded(value: string): string {
  return new URLSearchParams({ '': value }).toString().slice('='.length);
}
