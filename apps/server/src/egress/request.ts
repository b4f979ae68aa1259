import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { EgressError, toEgressError } from './errors.ts';

/** One bounded exchange; redirects are answers like any other. */
export interface EgressRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** Bytes of the answer kept at most; reading stops there. */
  readonly maxBytes: number;
  /** The deadline; aborting it is a `timeout`. */
  readonly signal: AbortSignal;
  /** Asked with each chunk of the body: true stops reading and closes the connection. */
  readonly until?: (chunk: Buffer, head: ResponseHead) => boolean;
}

/** Status line and headers of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** An answer with as much of its body as was asked for. */
export interface EgressResponse extends ResponseHead {
  readonly body: Buffer;
  /** The body went on when reading stopped. */
  readonly isTruncated: boolean;
}

/**
 * Sends one request through `pool` and reads the answer.
 *
 * @throws EgressError
 */
export async function sendRequest(
  pool: Pool,
  url: URL,
  request: EgressRequest,
): Promise<EgressResponse> {
  try {
    const answer = await pool.request({
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: request.headers?.flat() ?? [],
      body: request.body ?? null,
      signal: request.signal,
    });
    const head = { status: answer.statusCode, headers: answer.headers };
    return { ...head, ...(await readBody(answer.body, head, request)) };
  } catch (error) {
    if (request.signal.aborted) throw new EgressError('timeout');
    throw toEgressError(error);
  }
}

async function readBody(
  stream: Dispatcher.ResponseData['body'],
  head: ResponseHead,
  request: EgressRequest,
): Promise<Pick<EgressResponse, 'body' | 'isTruncated'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early destroys the stream, which closes its connection.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > request.maxBytes || request.until?.(chunk, head)) {
      return { body: Buffer.concat(chunks, Math.min(size, request.maxBytes)), isTruncated: true };
    }
  }
  return { body: Buffer.concat(chunks, size), isTruncated: false };
}
