import { closedCounter, type Metrics } from '../../platform/metrics.ts';
import type { RefreshOutcome } from './refresh/refresher.ts';
import type { RevocationOutcome } from './revocation/outbox.ts';

/** Counts the outcome of each refresh request. */
export function countRefreshes(metrics: Metrics): (outcome: RefreshOutcome) => void {
  const count = closedCounter<{ outcome: RefreshOutcome }>(metrics, {
    name: 'gatehouse_token_refreshes_total',
    help: 'Refreshes of OAuth tokens at their providers, by outcome.',
    labels: { outcome: ['refreshed', 'transient', 'needs_user', 'misconfigured', 'lost'] },
  });
  return (outcome) => count({ outcome });
}

/** Counts the outcomes of revoking the tokens of deleted connections. */
export function countRevocations(metrics: Metrics): (outcome: RevocationOutcome) => void {
  const count = closedCounter<{ outcome: RevocationOutcome }>(metrics, {
    name: 'gatehouse_token_revocations_total',
    help: 'Revocations of OAuth tokens at their providers that are over, by outcome.',
    labels: { outcome: ['revoked', 'not_supported', 'failed'] },
  });
  return (outcome) => count({ outcome });
}
