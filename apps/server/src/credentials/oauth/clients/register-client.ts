import { limits, type TokenEndpointAuthMethod } from '@gatehouse/contract';
import { findEndpoint } from '../discovery/endpoint.ts';
import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthHttp } from '../http.ts';
import { parseObject, textAt, type UnknownObject } from '../json-object.ts';
import type { UpstreamClient } from '../upstream.ts';
import { troubleOf, UpstreamOauthError } from '../upstream-error.ts';
import { clientMetadata } from './client-metadata.ts';

/** What is registered. */
export interface Registration {
  readonly redirectUri: string;
  /** Our own. */
  readonly origin: string;
  /** Those that will be requested. */
  readonly scopes: readonly string[];
}

/** A registered client. All of it is stored sealed. */
export interface RegisteredClient {
  readonly client: UpstreamClient;
  /** Epoch milliseconds, of the client secret. */
  readonly expiresAt?: number | undefined;
  /** With the URI, for changing or deleting the registration (RFC 7592). */
  readonly registrationAccessToken?: string | undefined;
  readonly registrationClientUri?: string | undefined;
}

const METHODS: readonly TokenEndpointAuthMethod[] = [
  'client_secret_basic',
  'client_secret_post',
  'none',
];

/**
 * Registers Gatehouse at an authorization server (RFC 7591).
 *
 * @throws UpstreamOauthError `no_client` if the server does not register clients
 */
export async function registerClient(
  http: OauthHttp,
  server: UpstreamServer,
  { redirectUri, origin, scopes }: Registration,
  signal: AbortSignal,
): Promise<RegisteredClient> {
  const { registrationEndpoint, tokenEndpointAuthMethods: supported } = server;
  if (registrationEndpoint === undefined) throw new UpstreamOauthError('no_client');
  const wanted = METHODS.find((method) => supported?.includes(method)) ?? 'client_secret_basic';
  const { status, headers, body } = await http.request(registrationEndpoint, {
    method: 'POST',
    headers: [
      ['content-type', 'application/json'],
      ['accept', 'application/json'],
    ],
    body: JSON.stringify({
      ...clientMetadata(origin, redirectUri),
      token_endpoint_auth_method: wanted,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    }),
    signal,
  });
  const trouble = troubleOf(status, headers['retry-after']);
  if (trouble !== undefined) throw trouble;
  const response = parseObject(body.toString('utf8'));
  if (status < 200 || status >= 300) throw new UpstreamOauthError('registration_refused');
  if (response === undefined) throw new UpstreamOauthError('response_invalid');
  return readRegistration(response, wanted, registrationEndpoint);
}

function readRegistration(
  response: UnknownObject,
  wanted: TokenEndpointAuthMethod,
  endpoint: string,
): RegisteredClient {
  const clientId = textAt(response, 'client_id', limits.url);
  const clientSecret = textAt(response, 'client_secret', limits.credential);
  const method = response.token_endpoint_auth_method ?? wanted;
  const authMethod = METHODS.find((known) => known === method);
  if (clientId === undefined || authMethod === undefined) {
    throw new UpstreamOauthError('response_invalid');
  }
  const isPublic = clientSecret === undefined || authMethod === 'none';
  const expires = Number(response.client_secret_expires_at);
  return {
    client: {
      clientId,
      clientSecret: isPublic ? undefined : clientSecret,
      authMethod: isPublic ? 'none' : authMethod,
      source: 'registered',
    },
    // RFC 7591 section 3.2.1: seconds, and 0 for never.
    expiresAt: !isPublic && expires > 0 ? expires * 1000 : undefined,
    registrationAccessToken: textAt(response, 'registration_access_token', limits.credential),
    registrationClientUri: findEndpoint(response.registration_client_uri, endpoint),
  };
}
