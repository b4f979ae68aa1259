import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { contextOf } from './context.ts';

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
        },
        'request',
      );
    });
    next();
  };
}
