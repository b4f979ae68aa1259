import type { IncomingMessage } from 'node:http';
import { drainRest } from '../http/discard.ts';
import { problemResponse, sendProblem } from '../http/problem-response.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import type { CallRequest, ClientResponse } from './client-side.ts';
import { OWN_HEADERS, sandboxHeader } from './response-head.ts';

/** A call that the gateway answers itself, and what every response to it carries. */
export interface Answered {
  readonly req: IncomingMessage;
  readonly request: Pick<CallRequest, 'url'>;
  readonly res: ClientResponse;
  readonly requestId: string;
  readonly corsHeaders: readonly string[];
}

/**
 * The headers of a response that the gateway sends instead of the upstream's, as name, value, name,
 * value …
 */
export function ownHeaders({
  requestId,
  corsHeaders,
}: Pick<Answered, 'requestId' | 'corsHeaders'>): string[] {
  const caching = ['Cache-Control', 'no-store'];
  return [...caching, ...OWN_HEADERS, 'X-Request-Id', requestId, ...corsHeaders];
}

/** Begins an event stream of ours, which no proxy must hold back. */
export function beginStream(call: Pick<Answered, 'res' | 'requestId' | 'corsHeaders'>): void {
  call.res.writeHead(200, [
    ...['Content-Type', 'text/event-stream'],
    ...['X-Accel-Buffering', 'no'],
    ...ownHeaders(call),
  ]);
  call.res.flushHeaders();
}

/** A body of at most this many bytes is sent in one piece with the head. */
const MAX_ONE_PIECE = 16 * 1024;

/** Ends a response with the whole of a short body, or the rest of it. */
export function endWith(res: Pick<ClientResponse, 'end' | 'takeProblem'>, body: Buffer): void {
  // Node sends text in one piece with the head; latin1 leaves every byte unchanged. What takes its place reads bytes.
  const isOfNode = res.takeProblem === undefined;
  if (isOfNode && body.length <= MAX_ONE_PIECE) res.end(body.toString('latin1'), 'latin1');
  else res.end(body);
}

/** Sends JSON, or no body. @param extraHeaders name, value, name, value … @returns the bytes of the body */
export function sendOwn(
  call: Answered,
  status: number,
  body: string | undefined,
  extraHeaders: readonly string[],
): number {
  const length = Buffer.byteLength(body ?? '');
  const headers = ownHeaders(call);
  if (body !== undefined) headers.push('Content-Type', 'application/json');
  // RFC 9110 section 8.6: no length with 204.
  if (status !== 204) headers.push('Content-Length', String(length));
  call.res.writeHead(status, [...headers, ...extraHeaders]);
  if (body === undefined) call.res.end();
  else call.res.end(body, 'utf8');
  drainRest(call.req);
  return length;
}

/** @returns the bytes of the body */
export function sendOwnProblem(
  { req, request, res, requestId, corsHeaders }: Answered,
  problem: ProblemError,
): number {
  if (res.takeProblem !== undefined) {
    res.takeProblem(problem);
    return 0;
  }
  const response = problemResponse(problem, requestId, request.url);
  sendProblem(res, response, [...sandboxHeader, ...corsHeaders]);
  drainRest(req);
  return Buffer.byteLength(response.body);
}
