import { timingSafeEqual } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { bearerTokenOf } from '../identity/bearer.ts';
import { isAdmin } from '../identity/caller.ts';
import { hashToken } from '../identity/tokens.ts';
import type { Store } from '../platform/database/store.ts';
import type { Metrics } from '../platform/metrics.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { checkRepeatedIdentity } from './host-and-origin.ts';
import { type IdentifyDeps, identify } from './identify.ts';
import { notAllowed } from './not-found.ts';
import { createReadiness } from './readiness.ts';
import { requireScope } from './route-access.ts';

export interface HealthDeps extends IdentifyDeps {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  /** False after the first SIGTERM. */
  isServing(): boolean;
}

/**
 * `/healthz` (the process runs), `/healthz/stream` (for `doctor`), `/readyz` (it can serve requests), `/metrics` (for
 * operators only).
 */
export function healthRouter(deps: HealthDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const { registry } = deps.metrics;
  const isReady = createReadiness(deps);
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/healthz/stream', (_req, res) => sendTwoEvents(res));
  router.get('/readyz', async (_req, res) => {
    const ready = await isReady();
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
  });
  router.get('/metrics', async (req, res) => {
    await requireOperator(req, deps);
    res.type(registry.contentType).send(await registry.metrics());
  });
  router.all(['/healthz', '/healthz/stream', '/readyz', '/metrics'], () => {
    throw notAllowed(['GET']);
  });
  return router;
}

async function requireOperator(req: Request, deps: HealthDeps): Promise<void> {
  checkRepeatedIdentity(req.rawHeaders);
  const token = bearerTokenOf(req.headers.authorization);
  if (token && deps.metricsToken && isSameToken(token, deps.metricsToken)) return;
  const caller = await identify(req, deps);
  if (!isAdmin(caller) || caller.via.kind !== 'personal_token') {
    throw new ProblemError('forbidden', 'Only admins and owners may read the metrics.');
  }
  requireScope(caller, 'management:read');
}

function isSameToken(given: string, expected: string): boolean {
  return timingSafeEqual(hashToken(given), hashToken(expected));
}

/** Milliseconds between the two events. */
const PAUSE = 1_000;

/** Sends two events with a pause between them, so that `doctor` sees whether a proxy keeps the first one back. */
function sendTwoEvents(res: Response): void {
  res.writeHead(200, {
    'Cache-Control': 'no-store',
    'Content-Type': 'text/event-stream',
    // As the streams of the gateway have it.
    'X-Accel-Buffering': 'no',
  });
  res.write('data: first\n\n');
  const timer = setTimeout(() => res.end('data: last\n\n'), PAUSE);
  res.once('close', () => clearTimeout(timer));
}
