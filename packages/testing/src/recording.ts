import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** One HTTP request as it arrived, down to its bytes. */
export interface RecordedRequest {
  readonly method: string;
  /** The request target exactly as sent: path and query, not decoded. */
  readonly target: string;
  /** For example `POST /mcp HTTP/1.1`. */
  readonly requestLine: string;
  /** Name, value, name, value … in the sender's spelling and order, repetitions included. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingHttpHeaders;
  /** The bytes received so far. */
  readonly body: Buffer;
}

/** Everything that a listener received, in the order of arrival. */
export interface Recording {
  readonly requests: readonly RecordedRequest[];
  /** Whether `text` occurs in any recorded request line, header name, header value or body. */
  hasReceived(text: string): boolean;
}

/** A {@link Recording} that its owner fills. A request is in it before its first body byte is read. */
export interface Recorder extends Recording {
  /** Resolves when the whole body has been read. Rejects if the client disconnects before that. */
  record(request: IncomingMessage): Promise<RecordedRequest>;
}

/** Creates an empty recorder. */
export function createRecorder(): Recorder {
  const requests: RecordedRequest[] = [];
  return {
    requests,
    hasReceived: (text) => requests.some((request) => requestContains(request, text)),
    async record(request) {
      const chunks: Buffer[] = [];
      const recorded = toRecordedRequest(request, chunks);
      requests.push(recorded);
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      return recorded;
    },
  };
}

function toRecordedRequest(request: IncomingMessage, chunks: readonly Buffer[]): RecordedRequest {
  const { method = '', url: target = '', httpVersion, rawHeaders, headers } = request;
  return {
    method,
    target,
    requestLine: `${method} ${target} HTTP/${httpVersion}`,
    rawHeaders: [...rawHeaders],
    headers: { ...headers },
    get body() {
      return Buffer.concat(chunks);
    },
  };
}

function requestContains(request: RecordedRequest, text: string): boolean {
  // Node reads header bytes as latin1, so a UTF-8 text must be compared in that form too.
  const latin1 = Buffer.from(text, 'utf8').toString('latin1');
  const head = [request.requestLine, ...request.rawHeaders];
  if (head.some((part) => part.includes(text) || part.includes(latin1))) return true;
  return request.body.includes(text, 0, 'utf8');
}
