import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The registry of all metrics of this process. */
export interface Metrics {
  readonly registry: Registry;
}

/**
 * A registry with the default metrics of prom-client. The label values of all others must come from
 * route templates or closed lists, never from names, URLs or tokens. Ids are in the metrics of integrations alone, which limit
 * their number.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry };
}

interface ClosedCounterOptions<Labels extends Readonly<Record<string, string>>> {
  readonly name: string;
  readonly help: string;
  /** Every value that each label can have. */
  readonly labels: { readonly [Name in keyof Labels]: readonly Labels[Name][] };
}

/**
 * A counter with closed lists of label values. Every combination starts at 0: a monitor that first sees
 * a count when it is 1 cannot tell that it has risen.
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

interface ObservedGaugeOptions {
  readonly name: string;
  readonly help: string;
}

/** A gauge without labels, read at each scrape. @param read must not reject */
export function observedGauge(
  { registry }: Metrics,
  { name, help }: ObservedGaugeOptions,
  read: () => number | Promise<number>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}

interface InfoGaugeOptions {
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A gauge that is always 1: its labels say what does not change while the process runs. */
export function infoGauge({ registry }: Metrics, { name, help, labels }: InfoGaugeOptions): void {
  const gauge = new Gauge({ name, help, labelNames: Object.keys(labels), registers: [registry] });
  gauge.set({ ...labels }, 1);
}
