import { Counter } from 'prom-client';
import type { Metrics } from '../../../platform/metrics.ts';
import type { RefreshOutcome } from './refresher.ts';

/** Counts what came of each request to refresh tokens. */
export function countRefreshes({ registry }: Metrics): (outcome: RefreshOutcome) => void {
  const counter = new Counter({
    name: 'gatehouse_token_refreshes_total',
    help: 'Refreshes of OAuth tokens at their providers, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return (outcome) => counter.inc({ outcome });
}
