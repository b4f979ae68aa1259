import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

export interface ObservedGaugeOptions {
  readonly name: string;
  readonly help: string;
}

/** A gauge without labels that is read when the metrics are. @param read must not reject */
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
