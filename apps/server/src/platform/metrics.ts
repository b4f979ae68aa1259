import { collectDefaultMetrics, Registry } from 'prom-client';

/** The registry of all metrics of this process. */
export interface Metrics {
  readonly registry: Registry;
}

/**
 * A registry with the default metrics of prom-client. The label values of all others must come from
 * route templates or closed lists, never from ids, URLs or tokens.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry };
}
