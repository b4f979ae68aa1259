import { timingSafeEqual } from 'node:crypto';
import { Router } from 'express';
import type { Registry } from 'prom-client';
import { isAdmin } from '../platform/actor.ts';
import type { Store } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { type Authenticator, hashToken, unauthenticated } from './authenticate.ts';
import { bearerTokenOf } from './bearer.ts';

export interface HealthDeps {
  readonly store: Store;
  readonly authenticator: Authenticator;
  readonly registry: Registry;
  readonly metricsToken: string | undefined;
  /** False from the first SIGTERM on. */
  isServing(): boolean;
}

/** `/healthz` (the process is up), `/readyz` (it can serve), `/metrics` (for operators only). */
export function healthRouter(deps: HealthDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const ready = deps.isServing() && (await answers(deps.store));
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
  });
  router.get('/metrics', async (req, res) => {
    await requireOperator(req.headers.authorization, deps);
    res.type(deps.registry.contentType).send(await deps.registry.metrics());
  });
  return router;
}

async function answers(store: Store): Promise<boolean> {
  return store.db.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
}

async function requireOperator(header: string | undefined, deps: HealthDeps): Promise<void> {
  const token = bearerTokenOf(header);
  if (!token) throw unauthenticated('An access token is required.', token === null);
  if (deps.metricsToken && sameToken(token, deps.metricsToken)) return;
  const actor = deps.authenticator.peek(token) ?? (await deps.authenticator.authenticate(token));
  if (isAdmin(actor) && actor.tokenKind === 'personal') return;
  throw new ProblemError('forbidden', 'Only admins and owners may read the metrics.');
}

function sameToken(given: string, expected: string): boolean {
  return timingSafeEqual(hashToken(given), hashToken(expected));
}
