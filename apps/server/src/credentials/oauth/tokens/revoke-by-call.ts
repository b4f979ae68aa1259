import type { OauthHttp } from '../http.ts';
import { parseObject } from '../json-object.ts';
import type { RevocationCall } from '../presets/preset.ts';
import type { UpstreamClient } from '../upstream.ts';
import { troubleOf, UpstreamOauthError } from '../upstream-error.ts';

/** A call that ends an access token. */
export interface CallToRevoke {
  readonly call: RevocationCall;
  /** The URL of the call, without the client id. */
  readonly url: string;
  readonly client: UpstreamClient;
  readonly token: string;
}

/**
 * Ends an access token by a call of the provider's own API. A token that the provider does not know (any
 * more) is revoked.
 *
 * @throws UpstreamOauthError
 */
export async function revokeByCall(
  http: OauthHttp,
  { call, url, client, token }: CallToRevoke,
  signal: AbortSignal,
): Promise<'revoked' | 'not_supported'> {
  const authorization = authorizationOf(call, client, token);
  if (authorization === undefined) return 'not_supported';
  const { method, field } = call;
  const filled = url.replace(encodeURI('{clientId}'), () => encodeURIComponent(client.clientId));
  const { status, headers, body } = await http.request(filled, {
    method,
    headers: [
      ['authorization', authorization],
      ['accept', 'application/json'],
      ...(field === undefined ? [] : ([['content-type', 'application/json']] as const)),
    ],
    ...(field === undefined ? {} : { body: JSON.stringify({ [field]: token }) }),
    signal,
  });
  const trouble = troubleOf(status, headers['retry-after']);
  if (trouble !== undefined) throw trouble;
  if (status === 401 && call.authentication === 'client') {
    throw new UpstreamOauthError('client_rejected');
  }
  // Slack sends 200 whatever happens. Of its other errors each says that the token is not valid.
  if (parseObject(body.toString('utf8'))?.error === 'ratelimited') {
    throw new UpstreamOauthError('rate_limited');
  }
  const isEnded = (status >= 200 && status < 300) || UNKNOWN_TOKEN.has(status);
  if (isEnded) return 'revoked';
  throw new UpstreamOauthError('request_rejected');
}

/** The token itself is refused, or (GitHub) cannot be found or is no token. */
const UNKNOWN_TOKEN = new Set([401, 404, 422]);

/** RFC 7617. Undefined for a client without a secret, which cannot make such a call. */
function authorizationOf(
  { authentication }: RevocationCall,
  { clientId, clientSecret }: UpstreamClient,
  token: string,
): string | undefined {
  if (authentication === 'token') return `Bearer ${token}`;
  if (!clientSecret) return undefined;
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}
