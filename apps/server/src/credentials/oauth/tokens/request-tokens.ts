import { allowInsecureRequests, customFetch, genericTokenEndpointRequest } from 'oauth4webapi';
import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthHttp } from '../http.ts';
import type { OauthUpstream, TokenSet, UpstreamClient } from '../upstream.ts';
import { clientAuthentication } from './client-authentication.ts';
import { readTokenResponse } from './read-token-response.ts';

/** Who wants tokens from whom. */
export interface TokenParties {
  readonly server: UpstreamServer;
  readonly upstream: OauthUpstream;
  readonly client: UpstreamClient;
  /** Of the configuration, with their values. */
  readonly tokenParams: Readonly<Record<string, string>> | undefined;
}

/** The grant of a token request. */
export interface GrantRequest {
  readonly type: 'authorization_code' | 'refresh_token';
  readonly params: Readonly<Record<string, string>>;
}

/**
 * One request to the token endpoint. Parameters of the grant replace those of the same name.
 *
 * @throws UpstreamOauthError
 */
export async function requestTokens(
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
    // Which plain http is allowed, the egress policy decides.
    { [customFetch]: http.fetch, [allowInsecureRequests]: true, signal },
  );
  return readTokenResponse(
    {
      status: response.status,
      text: await response.text(),
      retryAfter: response.headers.get('retry-after'),
    },
    { preset, isRefresh: type === 'refresh_token', sentAt },
  );
}
