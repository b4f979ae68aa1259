import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_CONTENT_TYPE } from '@gatehouse/contract';
import { ProblemError } from '../platform/problem-error.ts';
import { instanceOf, problemBody } from './problem.ts';
import { requestIdOf } from './request-id.ts';

/**
 * What Node refuses before any of our code sees it gets the problem document and the headers of every
 * other refusal, in place of Node's bare 400, 408, 413, 417 and 431. All of them are 400 here: the
 * codes are a closed list, and none of those statuses is required (RFC 9110 section 15.5.1). A missing
 * Host is ours to refuse, too: the server is made with `requireHostHeader: false`.
 */
export function attachNodeErrors(server: Server): void {
  server.on('clientError', refuse);
  server.on('checkExpectation', refuseExpectation);
}

function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  const pending = pendingOf(socket);
  // Once its request has been read, what is wrong is the next one's, and would be answered in its place.
  const isTaken = pending !== undefined && (pending.headersSent || pending.req.complete);
  if (error.code === 'ECONNRESET' || !socket.writable || isTaken) {
    socket.destroy();
    return;
  }
  const { head, body } = answerTo(pending?.req, pending, detailOf(error.code));
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines}\r\n${body}`, () => socket.destroy());
}

function refuseExpectation(req: IncomingMessage, res: ServerResponse): void {
  const { head, body } = answerTo(req, res, 'The Expect header asks for what is not done here.');
  res.writeHead(400, head.flat());
  res.end(req.method === 'HEAD' ? undefined : body);
}

/**
 * The response under way on a connection. Node's own answer looks at the same undocumented field: to
 * write into a response that has begun would corrupt it.
 */
function pendingOf(socket: Duplex): ServerResponse | undefined {
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

/** Express shortens `url` while a router below a prefix works. */
function targetOf(req: (IncomingMessage & { readonly originalUrl?: string }) | undefined) {
  return req?.originalUrl ?? req?.url;
}

/** The request is unknown where not even its head could be read. */
function answerTo(
  req: IncomingMessage | undefined,
  res: ServerResponse | undefined,
  detail: string,
): { head: (readonly [string, string])[]; body: string } {
  const begun = res?.getHeader('X-Request-Id');
  const requestId = begun?.toString() ?? requestIdOf(req?.headers['x-request-id']);
  const error = new ProblemError('validation_failed', detail);
  const body = JSON.stringify(problemBody(error, requestId, instanceOf(targetOf(req))));
  const head: (readonly [string, string])[] = [
    ['Content-Type', PROBLEM_CONTENT_TYPE],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['X-Request-Id', requestId],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Connection', 'close'],
  ];
  return { head, body };
}
