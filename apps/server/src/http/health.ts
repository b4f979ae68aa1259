import { timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Request, type Response, Router } from 'express';
import { bearerTokenOf } from '../identity/bearer.ts';
import { isAdmin } from '../identity/caller.ts';
import { hashToken } from '../identity/tokens.ts';
import { isWritable } from '../platform/database/database-status.ts';
import type { Store } from '../platform/database/store.ts';
import { type Metrics, observedGauge } from '../platform/metrics.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { checkRepeatedIdentity } from './host-and-origin.ts';
import { type IdentifyDeps, identify } from './identify.ts';
import { notAllowed } from './not-found.ts';
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
    // As on the gateway's streams.
    'X-Accel-Buffering': 'no',
  });
  res.write('data: first\n\n');
  const timer = setTimeout(() => res.end('data: last\n\n'), PAUSE);
  res.once('close', () => clearTimeout(timer));
}

/** Milliseconds that a scrape waits for the database, so that the other metrics are not lost with it. */
const SCRAPE_PATIENCE = 2_000;

/** Milliseconds in which requests share a check of the database, so that strangers cause few. */
const CHECK_LASTS = 250;

/** Tells if this node can serve requests. The metrics have the answer too, as of each scrape. */
function createReadiness({ store, metrics, isServing }: HealthDeps) {
  let seconds = 0;
  let sharedUntil = 0;
  let shared: Promise<boolean> = Promise.resolve(false);
  const check = async (): Promise<boolean> => {
    const begun = performance.now();
    // A balancer should choose another node while nothing can be written here.
    const ready = await isWritable(store).catch(() => false);
    const ended = performance.now();
    seconds = (ended - begun) / 1000;
    sharedUntil = ended + CHECK_LASTS;
    return ready;
  };
  const isReady = async (): Promise<boolean> => {
    if (performance.now() > sharedUntil) {
      sharedUntil = Number.POSITIVE_INFINITY;
      shared = check();
    }
    return (await shared) && isServing();
  };
  observedGauge(
    metrics,
    {
      name: 'gatehouse_ready',
      help: 'Whether this node serves requests and its database takes writes, as /readyz says: 1 or 0.',
    },
    async () => Number(await Promise.race([isReady(), delay(SCRAPE_PATIENCE, false)])),
  );
  observedGauge(
    metrics,
    {
      name: 'gatehouse_database_check_seconds',
      help: 'Seconds that the last check of the database for readiness took.',
    },
    () => seconds,
  );
  return isReady;
}
