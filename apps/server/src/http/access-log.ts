import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { contextOf } from './context.ts';

/** One line per answered request. The route's template stands for the path: no id and no query is logged. */
export function accessLog(log: Logger): RequestHandler {
  // A closed list of fields, none of them secret: to search them for secrets made half of a request's garbage.
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
