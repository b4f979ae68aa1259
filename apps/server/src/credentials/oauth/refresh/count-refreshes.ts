import { closedCounter } from '../../../platform/closed-counter.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { RefreshOutcome } from './refresher.ts';

/** Counts what came of each request to refresh tokens. */
export function countRefreshes(metrics: Metrics): (outcome: RefreshOutcome) => void {
  const count = closedCounter<{ outcome: RefreshOutcome }>(metrics, {
    name: 'gatehouse_token_refreshes_total',
    help: 'Refreshes of OAuth tokens at their providers, by outcome.',
    labels: { outcome: ['refreshed', 'transient', 'needs_user', 'misconfigured', 'lost'] },
  });
  return (outcome) => count({ outcome });
}
