import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ProblemError } from '../platform/problem-error.ts';
import { type ProblemResponse, problemResponse, sendProblem } from './problem-response.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Requests that Node refuses before our code sees them get a problem document instead of Node's bare
 * 400, 408, 413, 417 or 431. All of them become 400: the problem codes are a closed list, and none of
 * those statuses is required (RFC 9110 section 15.5.1). A missing Host is checked by our own code,
 * since the server is created with `requireHostHeader: false`.
 */
export function attachNodeErrors(server: Server): void {
  server.on('clientError', refuse);
  server.on('checkExpectation', refuseExpectation);
}

function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  const pending = pendingResponseOf(socket);
  // Once a request has been read, the error is in the next one; responding would answer the wrong request.
  const isRead = pending !== undefined && (pending.headersSent || pending.req.complete);
  if (error.code === 'ECONNRESET' || !socket.writable || isRead) {
    socket.destroy();
    return;
  }
  const { headers, body } = responseTo(pending?.req, pending, detailOf(error.code));
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines}\r\n${body}`, () => socket.destroy());
}

function refuseExpectation(req: IncomingMessage, res: ServerResponse): void {
  sendProblem(res, responseTo(req, res, 'The value of the Expect header is not supported.'));
}

/**
 * The response in progress on a connection. Node's own error response reads the same undocumented
 * field: writing into a response that has begun would corrupt it.
 */
function pendingResponseOf(socket: Duplex): ServerResponse | undefined {
  const { _httpMessage: pending } = socket as { _httpMessage?: ServerResponse | null };
  return pending ?? undefined;
}

function detailOf(code: string | undefined): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'The headers of the request are too large.';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'The chunk extensions of the request are too large.';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'The request did not arrive in time.';
    default:
      return 'The request is not well-formed HTTP.';
  }
}

/** Express shortens `url` inside a router that has a path prefix. */
function targetOf(req: (IncomingMessage & { readonly originalUrl?: string }) | undefined) {
  return req?.originalUrl ?? req?.url;
}

/** @param req undefined when not even its head could be parsed. */
function responseTo(
  req: IncomingMessage | undefined,
  res: ServerResponse | undefined,
  detail: string,
): ProblemResponse {
  const assigned = res?.getHeader('X-Request-Id')?.toString();
  const requestId = assigned ?? requestIdOf(req?.headers['x-request-id']);
  const error = new ProblemError('validation_failed', detail, { headers: { Connection: 'close' } });
  return problemResponse(error, requestId, targetOf(req));
}
