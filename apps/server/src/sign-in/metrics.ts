import { closedCounter, type Metrics } from '../platform/metrics.ts';

/** How a person tries to sign in. */
export type SignInWay = 'password' | 'link' | 'provider';

export type SignInOutcome = 'signed_in' | 'refused';

/** Counts attempts to sign in. */
export type CountSignIn = (way: SignInWay, outcome: SignInOutcome) => void;

export function countSignIns(metrics: Metrics): CountSignIn {
  const count = closedCounter<{ way: SignInWay; outcome: SignInOutcome }>(metrics, {
    name: 'gatehouse_sign_ins_total',
    help: 'Attempts of people to sign in, by way and outcome.',
    labels: { way: ['password', 'link', 'provider'], outcome: ['signed_in', 'refused'] },
  });
  return (way, outcome) => count({ way, outcome });
}
