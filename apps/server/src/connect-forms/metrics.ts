import type { Finished } from '../credentials/connect/finish-connecting.ts';
import { UpstreamOauthError } from '../credentials/oauth/upstream-error.ts';
import { closedCounter, type Metrics } from '../platform/metrics.ts';

/** `denied`: by the person, at the provider. `failed`: anything else that kept the account from being connected. */
export type ConnectOutcome = Finished['kind'] | 'denied' | 'failed';

/** Counts the outcomes of people's returns from a provider. */
export function countConnects(metrics: Metrics): (finished: Promise<Finished>) => void {
  const count = closedCounter<{ outcome: ConnectOutcome }>(metrics, {
    name: 'gatehouse_oauth_connects_total',
    help: 'Returns of people from a provider where they connected an account, by outcome.',
    labels: { outcome: ['connected', 'changed', 'client_gone', 'denied', 'failed'] },
  });
  return (finished) => {
    finished.then(
      ({ kind }) => count({ outcome: kind }),
      (error: unknown) => count({ outcome: isDenied(error) ? 'denied' : 'failed' }),
    );
  };
}

function isDenied(error: unknown): boolean {
  return error instanceof UpstreamOauthError && error.code === 'access_denied';
}
