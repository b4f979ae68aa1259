import { closedCounter } from '../../../platform/closed-counter.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { RevocationOutcome } from './outbox.ts';

/** Counts what came of the tokens of connections that are gone. */
export function countRevocations(metrics: Metrics): (outcome: RevocationOutcome) => void {
  const count = closedCounter<{ outcome: RevocationOutcome }>(metrics, {
    name: 'gatehouse_token_revocations_total',
    help: 'Revocations of OAuth tokens at their providers that are over, by outcome.',
    labels: { outcome: ['revoked', 'not_supported', 'failed'] },
  });
  return (outcome) => count({ outcome });
}
