import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ProblemError } from '../platform/problem-error.ts';
import { requestIdOf } from './context.ts';
import { type DiscardLimits, discard } from './discard.ts';
import { type ProblemResponse, problemResponse, sendProblem } from './problem-response.ts';

/** The limit of what a refused client can still send, and its time to read the response and close. */
const LINGER: DiscardLimits = { bytes: 1024 * 1024, time: 1_000 };

const CLOSING = { headers: { Connection: 'close' } } as const;

/**
 * Requests that Node refuses before our code sees them get a problem document instead of Node's bare
 * 400, 408, 413, 417 or 431. Headers that are too large get 431 (RFC 6585 section 5); the others become
 * 400: the problem codes are a closed list, and those statuses are not required (RFC 9110 section
 * 15.5.1). A missing Host is checked by our own code, since the server is created with
 * `requireHostHeader: false`.
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
  const { status, headers, body } = responseTo(pending?.req, pending, refusalOf(error.code));
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`);
  lingerThenDestroy(socket);
}

/**
 * Reads on for a moment and discards it. Closing while something is unread makes the kernel reset the
 * connection, and the client may then lose the response (RFC 9112 section 9.6).
 */
function lingerThenDestroy(socket: Duplex): void {
  socket.removeAllListeners('data');
  socket.once('end', () => socket.destroy());
  discard(socket, LINGER, () => socket.destroy());
}

function refuseExpectation(req: IncomingMessage, res: ServerResponse): void {
  sendProblem(
    res,
    responseTo(req, res, invalid('The value of the Expect header is not supported.')),
  );
}

/**
 * The response in progress on a connection. Node's own error response reads the same undocumented
 * field: writing into a response that has begun would corrupt it.
 */
function pendingResponseOf(socket: Duplex): ServerResponse | undefined {
  const { _httpMessage: pending } = socket as { _httpMessage?: ServerResponse | null };
  return pending ?? undefined;
}

function refusalOf(code: string | undefined): ProblemError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ProblemError('headers_too_large', 'Send fewer or shorter headers.', CLOSING);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return invalid('The chunk extensions of the request are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return invalid('The request did not arrive in time.');
    default:
      return invalid('The request is not well-formed HTTP.');
  }
}

function invalid(detail: string): ProblemError {
  return new ProblemError('validation_failed', detail, CLOSING);
}

/** Express shortens `url` inside a router that has a path prefix. */
function targetOf(req: (IncomingMessage & { readonly originalUrl?: string }) | undefined) {
  return req?.originalUrl ?? req?.url;
}

/** @param req undefined when not even its head could be parsed. */
function responseTo(
  req: IncomingMessage | undefined,
  res: ServerResponse | undefined,
  error: ProblemError,
): ProblemResponse {
  const assigned = res?.getHeader('X-Request-Id')?.toString();
  const requestId = assigned ?? requestIdOf(req?.headers['x-request-id']);
  return problemResponse(error, requestId, targetOf(req));
}
