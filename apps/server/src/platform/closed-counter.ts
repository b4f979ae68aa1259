import { Counter } from 'prom-client';
import type { Metrics } from './metrics.ts';

export interface ClosedCounterOptions<Labels extends Readonly<Record<string, string>>> {
  readonly name: string;
  readonly help: string;
  /** Every value that each label can have. */
  readonly labels: { readonly [Name in keyof Labels]: readonly Labels[Name][] };
}

/**
 * A counter whose labels have closed lists of values. Every combination is there from the start, as 0:
 * a monitor that first sees a count when it is 1 cannot tell that it has risen.
 */
export function closedCounter<Labels extends Readonly<Record<string, string>>>(
  { registry }: Metrics,
  { name, help, labels }: ClosedCounterOptions<Labels>,
): (values: Labels) => void {
  const lists = Object.entries<readonly string[]>(labels);
  const labelNames = lists.map(([label]) => label);
  const counter = new Counter({ name, help, labelNames, registers: [registry] });
  for (const values of combinations(lists)) counter.inc(values, 0);
  return (values) => counter.inc({ ...values });
}

function combinations(
  lists: readonly (readonly [string, readonly string[]])[],
): Record<string, string>[] {
  return lists.reduce<Record<string, string>[]>(
    (before, [label, values]) =>
      before.flatMap((some) => values.map((value) => ({ ...some, [label]: value }))),
    [{}],
  );
}
