import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { RecordedRequest } from '../recording.ts';
import { formatSseEvent, type SseEvent } from './sse.ts';

/** A whole response. */
export interface ScriptedResponse {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  /** Default: no body. A string or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** One request, and full control over its response. */
export interface Exchange {
  readonly request: RecordedRequest;
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly message: { readonly id?: string | number; readonly method?: string } | undefined;
  /** Resolves when the response has ended: `finished` if it was sent whole, `aborted` otherwise. */
  readonly closed: Promise<'finished' | 'aborted'>;
  /** Body bytes written to the socket so far. */
  readonly sentBytes: number;
  /** Sends a whole response. */
  respond(response: ScriptedResponse): void;
  /** Sends a JSON-RPC result with the id of the request, as JSON. */
  respondResult(result: unknown, headers?: OutgoingHttpHeaders): void;
  /** Sends status line and headers only. The body is chunked unless there is a `Content-Length`. */
  sendHead(status: number, headers?: OutgoingHttpHeaders): void;
  /** Sends the head of an event stream. */
  startSse(headers?: OutgoingHttpHeaders): void;
  /** Sends one event. Resolves when the client can receive more. */
  sendEvent(event: SseEvent): Promise<void>;
  /** Sends body bytes as they are, for example `: keep-alive\n\n`. Resolves like {@link sendEvent}. */
  send(bytes: string | Uint8Array): Promise<void>;
  /**
   * Sends this many bytes as fast as the client reads them. Resolves with the number sent when all are
   * sent or the response is aborted.
   */
  stream(bytes: number, chunkBytes?: number): Promise<number>;
  /** Ends the body properly. */
  end(): void;
  /** Closes the connection, wherever the response is. */
  drop(): void;
}

/** Wraps one request after its body has been read. */
export function createExchange(
  request: RecordedRequest,
  response: ServerResponse<IncomingMessage>,
): Exchange {
  let sentBytes = 0;
  const closed = new Promise<'finished' | 'aborted'>((resolve) => {
    response.once('close', () => resolve(response.writableFinished ? 'finished' : 'aborted'));
  });

  const send = async (bytes: string | Uint8Array): Promise<void> => {
    if (response.destroyed) return;
    sentBytes += Buffer.byteLength(bytes);
    if (!response.write(bytes)) await Promise.race([once(response, 'drain'), closed]);
  };
  const sendHead = (status: number, headers: OutgoingHttpHeaders = {}): void => {
    response.writeHead(status, headers).flushHeaders();
  };
  const respond = ({ status = 200, headers = {}, body = '' }: ScriptedResponse): void => {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const bytes = Buffer.from(raw ? body : JSON.stringify(body));
    const type = raw ? {} : { 'Content-Type': 'application/json' };
    sentBytes += bytes.length;
    response.writeHead(status, { ...type, 'Content-Length': bytes.length, ...headers }).end(bytes);
  };
  const message = parseMessage(request.body);

  return {
    request,
    message,
    closed,
    get sentBytes() {
      return sentBytes;
    },
    respond,
    respondResult: (result, headers = {}) =>
      respond({ headers, body: { jsonrpc: '2.0', id: message?.id ?? null, result } }),
    sendHead,
    startSse: (headers = {}) =>
      sendHead(200, {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-cache',
        ...headers,
      }),
    sendEvent: (event) => send(formatSseEvent(event)),
    send,
    async stream(bytes, chunkBytes = 64 * 1024) {
      const chunk = Buffer.alloc(chunkBytes, 'x');
      const start = sentBytes;
      while (sentBytes - start < bytes && !response.destroyed) {
        await send(chunk.subarray(0, bytes - (sentBytes - start)));
      }
      return sentBytes - start;
    },
    end: () => void response.end(),
    drop: () => void response.destroy(),
  };
}

function parseMessage(body: Buffer): Exchange['message'] {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
