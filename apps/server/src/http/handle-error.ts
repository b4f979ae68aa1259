import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { applicationIdOf, isByOauth } from '../identity/caller.ts';
import { isOutOfFiles } from '../platform/database/database-failure.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import { resourceMetadataUrl, withChallenge } from './challenge.ts';
import { contextOf, type RequestContext } from './context.ts';
import { problemResponse, toProblem } from './problem-response.ts';
import { scopeOf } from './route-access.ts';

/**
 * Responds to anything thrown with a problem document. Logs only what becomes `internal_error`, and
 * once that file descriptors have run out, which only the operator can fix.
 */
export function handleError(log: Logger, publicUrl: string): ErrorRequestHandler {
  let hasRunOut = false;
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const context = contextOf(res);
    const { requestId } = context;
    const problem = challenged(toProblem(thrown), context, publicUrl);
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

/** Tells an application which scope its token lacks (RFC 6750 section 3.1). */
function challenged(
  problem: ProblemError,
  { caller, route }: RequestContext,
  publicUrl: string,
): ProblemError {
  if (problem.code !== 'insufficient_scope' || !route || !caller || !isByOauth(caller)) {
    return problem;
  }
  const [path, scope] =
    route.access === 'application'
      ? [`/mcp/${applicationIdOf(caller)}`, 'credentials']
      : ['/api/v1', scopeOf(route)];
  return withChallenge(problem, { metadataUrl: resourceMetadataUrl(publicUrl, path), scope });
}
