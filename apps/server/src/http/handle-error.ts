import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { isOutOfFiles } from '../platform/database/database-failure.ts';
import { contextOf } from './context.ts';
import { toProblem } from './problem.ts';
import { problemResponse } from './problem-response.ts';

/**
 * Responds to anything thrown with a problem document. Only what becomes `internal_error` is logged, and
 * once that file descriptors have run out: nothing but the operator can help there.
 */
export function handleError(log: Logger): ErrorRequestHandler {
  let hasRunOut = false;
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const { requestId } = contextOf(res);
    const problem = toProblem(thrown);
    if (problem.code === 'internal_error') log.error({ requestId, err: thrown }, 'request failed');
    if (!hasRunOut && isOutOfFiles(thrown)) {
      hasRunOut = true;
      log.error({ requestId }, 'no file descriptors are left: raise the limit of open files');
    }
    const { status, headers, body } = problemResponse(problem, requestId, req.originalUrl);
    for (const [name, value] of headers) res.setHeader(name, value);
    res.status(status).send(body);
  };
}
