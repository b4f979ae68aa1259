import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { contextOf } from './context.ts';
import { instanceOf, problemBody, problemStatus, toProblem } from './problem.ts';

/** Turns whatever was thrown into a problem document; what is not a `ProblemError` is ours to look into. */
export function handleError(log: Logger): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const { requestId } = contextOf(res);
    const problem = toProblem(thrown);
    if (problem.code === 'internal_error') log.error({ requestId, err: thrown }, 'request failed');
    for (const [name, value] of Object.entries(problem.headers)) res.setHeader(name, value);
    res.status(problemStatus(problem)).type('application/problem+json');
    res.send(JSON.stringify(problemBody(problem, requestId, instanceOf(req.originalUrl))));
  };
}
