import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { EgressError, toEgressError } from './errors.ts';
import type { HeaderPairs } from './sender.ts';

/** One request with a deadline and a limited response. Redirects are ordinary responses. */
export interface EgressRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers?: HeaderPairs;
  readonly body?: string;
  /** Reading the body stops after this many bytes. */
  readonly maxBytes: number;
  /** The deadline: aborting it fails the request with `timeout`. */
  readonly signal: AbortSignal;
  /** Called with each chunk of the body. `true` stops reading and closes the connection. */
  readonly until?: (chunk: Buffer, head: ResponseHead) => boolean;
}

/** Status and headers of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** A response with the part of its body that was read. */
export interface EgressResponse extends ResponseHead {
  readonly body: Buffer;
  /** Reading stopped before the end of the body. */
  readonly isTruncated: boolean;
}

/**
 * Sends one request through `pool` and reads the response.
 *
 * @throws EgressError
 */
export async function sendRequest(
  pool: Pool,
  url: URL,
  request: EgressRequest,
): Promise<EgressResponse> {
  try {
    return await untilAborted(request.signal, exchange(pool, url, request));
  } catch (error) {
    if (request.signal.aborted) throw new EgressError('timeout');
    throw toEgressError(error);
  }
}

async function exchange(pool: Pool, url: URL, request: EgressRequest): Promise<EgressResponse> {
  const response = await pool.request({
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: request.headers?.flat() ?? [],
    body: request.body ?? null,
    signal: request.signal,
  });
  const head = { status: response.statusCode, headers: response.headers };
  return { ...head, ...(await readBody(response.body, head, request)) };
}

/** undici looks at the signal of a request only once there is a connection for it, and then sends nothing. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function readBody(
  stream: Dispatcher.ResponseData['body'],
  head: ResponseHead,
  request: EgressRequest,
): Promise<Pick<EgressResponse, 'body' | 'isTruncated'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Returning from the loop destroys the stream, which closes its connection.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > request.maxBytes || request.until?.(chunk, head)) {
      return { body: Buffer.concat(chunks, Math.min(size, request.maxBytes)), isTruncated: true };
    }
  }
  return { body: Buffer.concat(chunks, size), isTruncated: false };
}
