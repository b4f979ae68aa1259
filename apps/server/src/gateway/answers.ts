import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROBLEM_CONTENT_TYPE } from '@gatehouse/contract';
import { instanceOf, problemBody, problemStatus } from '../http/problem.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import { OWN_HEADERS } from './response-head.ts';

/** Outside JSON-RPC's reserved range: a gateway's own (2026-07-28 keeps -32099..-32000 for itself). */
const CREDENTIAL_ERROR = -31001;

/** Why a call has no credential the upstream takes. */
export interface CredentialRefusal {
  readonly code: 'connection_required' | 'credential_rejected';
  /** What to do, in one sentence. */
  readonly message: string;
  readonly integrationId: string;
  /** The finer cause, where it helps. */
  readonly reason?: string;
}

/** Headers that every answer of the gateway's own carries beside its content type. */
export interface AnswerContext {
  readonly requestId: string;
  readonly extraHeaders: readonly string[];
}

export function sendProblem(
  req: IncomingMessage,
  res: ServerResponse,
  error: ProblemError,
  { requestId, extraHeaders }: AnswerContext,
): void {
  const headers = Object.entries(error.headers).flat();
  const body = JSON.stringify(problemBody(error, requestId, instanceOf(req.url)));
  send(res, problemStatus(error), PROBLEM_CONTENT_TYPE, body, [
    ...headers,
    'X-Request-Id',
    requestId,
    ...extraHeaders,
  ]);
}

/** One JSON-RPC error for each raw id; an array when the ids came in a batch. */
export function sendCredentialError(
  res: ServerResponse,
  ids: readonly string[] | string,
  { code, message, integrationId, reason }: CredentialRefusal,
  { requestId, extraHeaders }: AnswerContext,
): void {
  const data = { code, integrationId, ...(reason === undefined ? {} : { reason }) };
  const error = JSON.stringify({ code: CREDENTIAL_ERROR, message, data });
  const answerTo = (id: string) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`;
  const body = typeof ids === 'string' ? answerTo(ids) : `[${ids.map(answerTo).join(',')}]`;
  send(res, 200, 'application/json', body, ['X-Request-Id', requestId, ...extraHeaders]);
}

function send(
  res: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: readonly string[],
): void {
  const bytes = Buffer.from(body);
  res.writeHead(status, [
    'Content-Type',
    type,
    'Content-Length',
    String(bytes.length),
    'Cache-Control',
    'no-store',
    ...OWN_HEADERS,
    ...headers,
  ]);
  res.end(bytes);
}
