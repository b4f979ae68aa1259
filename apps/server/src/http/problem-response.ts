import type { ServerResponse } from 'node:http';
import { PROBLEM_CONTENT_TYPE, type Problem, problemCodes, problemType } from '@gatehouse/contract';
import { toDatabaseUnavailable } from '../platform/database/database-failure.ts';
import { ProblemError } from '../platform/problem-error.ts';

/** A problem document (RFC 9457) and the headers that always go with it. */
export interface ProblemResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** @param target the raw request target; `instance` is its path, without the query. */
export function problemResponse(
  error: ProblemError,
  requestId: string,
  target: string | undefined,
): ProblemResponse {
  const problem = problemOf(error, requestId, pathOf(target));
  const body = JSON.stringify(problem);
  const headers: ProblemResponse['headers'] = [
    ['Content-Type', PROBLEM_CONTENT_TYPE],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    ...Object.entries(error.headers),
    ['X-Request-Id', requestId],
  ];
  return { status: problem.status, headers, body };
}

/** @param extraHeaders name, value, name, value … */
export function sendProblem(
  res: ServerResponse,
  { status, headers, body }: ProblemResponse,
  extraHeaders: readonly string[] = [],
): void {
  res.writeHead(status, [...headers.flat(), ...extraHeaders]);
  res.end(body, 'utf8');
}

function problemOf(error: ProblemError, requestId: string, instance: string): Problem {
  const { status, title } = problemCodes[error.code];
  return {
    type: problemType(error.code),
    title,
    status,
    detail: error.message,
    instance,
    code: error.code,
    requestId,
    ...(error.reasons.length > 0 ? { reasons: [...error.reasons] } : {}),
    ...(error.tools.length > 0 ? { tools: [...error.tools] } : {}),
    ...(error.errors.length > 0 ? { errors: [...error.errors] } : {}),
    ...(error.connectUrl === undefined ? {} : { connectUrl: error.connectUrl }),
  };
}

/** A target that is not a path is reported as `/`. */
function pathOf(target: string | undefined): string {
  const path = (target ?? '/').split('?', 1)[0] ?? '/';
  return path.startsWith('/') ? path : '/';
}

/**
 * Converts anything thrown to a problem. The problem for an unexpected error tells nothing about it; the
 * error itself is its `cause`.
 */
export function toProblem(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  return (
    toDatabaseUnavailable(thrown) ??
    new ProblemError('internal_error', 'Something went wrong on our side.', { cause: thrown })
  );
}
