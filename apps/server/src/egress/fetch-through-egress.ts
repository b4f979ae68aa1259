import type { Egress } from './egress.ts';
import type { Sender } from './sender.ts';

/** What OAuth libraries hand to a `fetch` of ours. Their requests are forms or have no body. */
interface FetchOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** For whom, and within which limits. */
export interface FetchLimits {
  readonly sender: Sender;
  /** A longer response is an error. */
  readonly maxBytes: number;
  /** Milliseconds, where the caller gives no signal. */
  readonly timeout: number;
  /** Headers of the response to pass on besides `content-type`, in lower case. */
  readonly passedHeaders?: readonly string[];
}

/** A `fetch` with just the options that OAuth libraries need. */
export type EgressFetch = (url: string, options: FetchOptions) => Promise<Response>;

/**
 * `fetch` for OAuth libraries, by the egress policy. Redirects are ordinary responses. It throws
 * EgressError, and TypeError for a response that is too long and for a request that no such library makes.
 */
export function fetchThroughEgress(
  egress: Pick<Egress, 'request'>,
  { sender, maxBytes, timeout, passedHeaders = [] }: FetchLimits,
): EgressFetch {
  return async (url, { method, headers, body, signal }) => {
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`Unexpected method ${method}.`);
    const response = await egress.request(url, {
      method,
      headers: Object.entries(headers),
      ...(body === null || body === undefined ? {} : { body: textOf(body) }),
      maxBytes,
      signal: signal ?? AbortSignal.timeout(timeout),
      sender,
    });
    if (response.isTruncated) throw new TypeError('The response of the provider is too long.');
    const { status, body: bytes } = response;
    const passed = ['content-type', ...passedHeaders].flatMap((name) => {
      const value = response.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const isEmpty = status === 204 || status === 304;
    return new Response(isEmpty ? null : new Uint8Array(bytes), {
      status,
      headers: Object.fromEntries(passed),
    });
  };
}

function textOf(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new TypeError('Unexpected body of a request to the provider.');
}
