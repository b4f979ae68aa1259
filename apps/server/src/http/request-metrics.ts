import type { RequestHandler } from 'express';
import { Histogram } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import { contextOf } from './context.ts';

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
