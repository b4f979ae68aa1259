import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { contextOf } from './context.ts';
import { toProblem } from './problem.ts';
import { problemResponse } from './problem-response.ts';

/** Responds to anything thrown with a problem document. Only what becomes `internal_error` is logged. */
export function handleError(log: Logger): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const { requestId } = contextOf(res);
    const problem = toProblem(thrown);
    if (problem.code === 'internal_error') log.error({ requestId, err: thrown }, 'request failed');
    const { status, headers, body } = problemResponse(problem, requestId, req.originalUrl);
    for (const [name, value] of headers) res.setHeader(name, value);
    res.status(status).send(body);
  };
}
