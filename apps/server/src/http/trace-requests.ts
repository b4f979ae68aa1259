import type { RequestHandler } from 'express';
import { type Tracing, tracedMethod } from '../platform/tracing.ts';
import { contextOf } from './context.ts';

/** Records every request to the management API that has found its route, when it has been answered. */
export function traceRequests(tracing: Tracing): RequestHandler {
  return (req, res, next) => {
    res.once('finish', () => {
      const { operation, route, startedAt } = contextOf(res);
      if (operation === undefined || route === undefined) return;
      const method = tracedMethod(req.method);
      const { traceparent } = req.headers;
      const span = tracing.begin({
        name: `${method} /api/v1${route.path}`,
        kind: 'server',
        attributes: {
          'http.request.method': method,
          'http.route': `/api/v1${route.path}`,
          'gatehouse.operation': operation,
        },
        parent: typeof traceparent === 'string' ? traceparent : undefined,
        startedAt,
      });
      const { statusCode } = res;
      span?.end({ 'http.response.status_code': statusCode }, statusCode >= 500);
    });
    next();
  };
}
