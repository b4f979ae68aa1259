import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { contextOf } from './context.ts';

/** Answers to callers who are not known, or ask too much: their address is logged. */
const REFUSED_CALLERS = new Set([401, 429]);

/** Logs one line per response, with the route's template instead of the path: no ids and no query. */
export function accessLog(log: Logger): RequestHandler {
  // The fields are a closed list without secrets. Redaction caused half of the garbage of a request.
  const lines = log.child({}, { redact: [] });
  return (req, res, next) => {
    res.once('finish', () => {
      const { requestId, route, operation, startedAt, actor } = contextOf(res);
      lines.info(
        {
          requestId,
          method: req.method,
          route: route?.path,
          operation,
          status: res.statusCode,
          ms: Math.round(performance.now() - startedAt),
          userId: actor?.userId,
          ...(REFUSED_CALLERS.has(res.statusCode) && { address: req.ip }),
        },
        'request',
      );
    });
    next();
  };
}
