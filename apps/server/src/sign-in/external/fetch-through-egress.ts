import type { CustomFetch } from 'openid-client';
import type { Egress } from '../../egress/egress.ts';

const MAX_BYTES = 512 * 1024;

/** Milliseconds, where the library gives no deadline. */
const TIMEOUT = 8_000;

/**
 * What a provider says decides who signs in, also where nothing secret is sent. With a credential the
 * sender is denied plain http outside the allowed networks.
 */
const SENDER = {
  organizationId: '',
  userId: 'external-sign-in',
  credential: [['authorization', 'openid-client']],
} as const;

/** `fetch` for openid-client, by the egress policy. */
export function fetchThroughEgress(egress: Pick<Egress, 'request'>): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`Unexpected method ${method}.`);
    const response = await egress.request(url, {
      method,
      headers: Object.entries(headers),
      ...(body === null || body === undefined ? {} : { body: textOf(body) }),
      maxBytes: MAX_BYTES,
      signal: signal ?? AbortSignal.timeout(TIMEOUT),
      sender: SENDER,
    });
    if (response.isTruncated) throw new TypeError('The response of the provider is too long.');
    const { status, body: bytes } = response;
    const type = response.headers['content-type'];
    const isEmpty = status === 204 || status === 304;
    return new Response(isEmpty ? null : new Uint8Array(bytes), {
      status,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  };
}

/** Requests of openid-client are forms. */
function textOf(body: NonNullable<Parameters<CustomFetch>[1]['body']>): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new TypeError('Unexpected body of a request to the provider.');
}
