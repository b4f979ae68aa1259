import { closedCounter } from '../../platform/closed-counter.ts';
import type { Metrics } from '../../platform/metrics.ts';

/** `remembered`: allowed before, so that nobody was asked. */
export type ConsentOutcome = 'allowed' | 'remembered' | 'denied';

/** Counts what people answer when a client asks for access. */
export function countConsents(metrics: Metrics): (outcome: ConsentOutcome) => void {
  const count = closedCounter<{ outcome: ConsentOutcome }>(metrics, {
    name: 'gatehouse_consents_total',
    help: 'Decisions on what clients ask for, by outcome.',
    labels: { outcome: ['allowed', 'remembered', 'denied'] },
  });
  return (outcome) => count({ outcome });
}
