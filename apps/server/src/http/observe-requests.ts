import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { Histogram } from 'prom-client';
import { subjectIdOf } from '../identity/caller.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type Tracing, tracedMethod } from '../platform/tracing.ts';
import { contextOf } from './context.ts';

/** The statuses for unknown callers and for too many requests: their address is logged. */
const REFUSED_CALLERS = new Set([401, 429]);

/** Logs one line per response, with the route's template instead of the path: no ids and no query. */
export function accessLog(log: Logger): RequestHandler {
  // The fields are a closed list without secrets. Redaction caused half of the garbage of a request.
  const lines = log.child({}, { redact: [] });
  return (req, res, next) => {
    res.once('finish', () => {
      const { requestId, route, operation, startedAt, caller } = contextOf(res);
      lines.info(
        {
          requestId,
          method: req.method,
          route: route?.path ?? matchedRoute(req),
          operation,
          status: res.statusCode,
          ms: Math.round(performance.now() - startedAt),
          userId: caller && subjectIdOf(caller),
          ...(REFUSED_CALLERS.has(res.statusCode) && { address: req.ip }),
        },
        'request',
      );
    });
    next();
  };
}

const BUCKETS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Observes every request that the gateway declines, by operation and status. Health checks,
 * pages, preflights and requests that match no route share the operation `none`.
 */
export function requestMetrics({ registry }: Metrics): RequestHandler {
  const duration = new Histogram({
    name: 'gatehouse_http_request_seconds',
    help: 'Seconds from the arrival of a management request to the end of its response.',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return (_req, res, next) => {
    res.once('finish', () => {
      const { operation = 'none', startedAt } = contextOf(res);
      const seconds = (performance.now() - startedAt) / 1000;
      duration.observe({ operation, status: res.statusCode }, seconds);
    });
    next();
  };
}

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

/**
 * The template of the route that has answered, such as `/connect/:secret`: nothing that the caller has sent.
 * Undefined where no route has matched.
 */
function matchedRoute(req: Request): string | undefined {
  const { path }: { readonly path?: unknown } = req.route ?? {};
  const [requested = ''] = req.originalUrl.split('?', 1);
  return [path].flat().find((one): one is string => isTemplateOf(one, requested));
}

/** Express does not say which of a route's paths has matched. */
function isTemplateOf(path: unknown, requested: string): boolean {
  if (typeof path !== 'string') return false;
  const template = path.split('/');
  const segments = requested.split('/');
  const rest = template.findIndex((segment) => segment.startsWith('*'));
  if (rest === -1 && segments.length !== template.length) return false;
  const fixed = rest === -1 ? template : template.slice(0, rest);
  return fixed.every((segment, at) => segment.startsWith(':') || segment === segments[at]);
}
