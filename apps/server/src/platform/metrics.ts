import { collectDefaultMetrics, Registry } from 'prom-client';

/** Where the instruments of every room are registered. */
export interface Metrics {
  readonly registry: Registry;
}

/**
 * A registry holding the process's own metrics (prom-client's defaults). Labels of further
 * instruments are route templates and closed lists, never ids, URLs or tokens.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry };
}
