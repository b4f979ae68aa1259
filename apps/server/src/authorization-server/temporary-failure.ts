import type { ProblemCode } from '@gatehouse/contract';
import type { ErrorRequestHandler } from 'express';
import { toProblem } from '../http/problem-response.ts';

const STATUS: Partial<Record<ProblemCode, number>> = {
  database_unavailable: 503,
  overloaded: 503,
  rate_limited: 429,
};

interface TemporaryFailure {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: { readonly error: string; readonly error_description: string };
}

/**
 * A failure after which a client may try again, in the form of OAuth (RFC 6749 section 5.2). Clients take
 * other errors of a token request for the end of their grant. Undefined for those.
 */
export function temporaryFailure(thrown: unknown): TemporaryFailure | undefined {
  const problem = toProblem(thrown);
  const status = STATUS[problem.code];
  if (status === undefined) return undefined;
  return {
    status,
    headers: { 'Retry-After': '1', ...problem.headers },
    body: { error: 'temporarily_unavailable', error_description: problem.message },
  };
}

/** Answers temporary failures of the endpoints that are for programs. */
export const handleTemporaryFailure: ErrorRequestHandler = (thrown, _req, res, next) => {
  const failure = temporaryFailure(thrown);
  if (failure === undefined || res.headersSent) return next(thrown);
  res.set(failure.headers).status(failure.status).json(failure.body);
};
