import { Counter } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import type { CallObserver, CallOutcome, CallRecord } from './call-record.ts';

/** How a call went for its integration. */
export type IntegrationResult =
  /** Anything but the others: also what its client or this node has ended. */
  | 'ok'
  /** By Gatehouse itself, for whatever reason. */
  | 'refused'
  /** No usable credential, or the MCP server rejected it. */
  | 'credential'
  /** By the MCP server, or on the way to it. */
  | 'failed';

/** Counts the calls of each integration. */
export function createIntegrationCounter({ registry }: Metrics): CallObserver {
  const counts = createIntegrationSeries<Record<IntegrationResult, number>>(() => ({
    ok: 0,
    refused: 0,
    credential: 0,
    failed: 0,
  }));
  new Counter({
    name: 'gatehouse_integration_calls_total',
    help: 'Gateway calls that were admitted, by integration and how they went for it.',
    labelNames: ['integration', 'result'],
    registers: [registry],
    // As with the calls by outcome: a plain object for each integration, not a hash of labels for each call.
    collect() {
      this.reset();
      for (const [integration, results] of counts.known) {
        for (const [result, count] of Object.entries(results)) {
          this.inc({ integration, result }, count);
        }
      }
    },
  });
  return {
    ended(record) {
      const { integrationId, credentialSource, isOpenEnded } = record;
      if (credentialSource === undefined || isOpenEnded || integrationId === undefined) return;
      counts.of(integrationId)[resultOf(record)] += 1;
    },
  };
}

const RESULTS: Readonly<Record<CallOutcome, IntegrationResult>> = {
  relayed: 'ok',
  refused: 'refused',
  policy: 'refused',
  limited: 'refused',
  credential: 'credential',
  connect: 'ok',
  upstream_failed: 'failed',
  too_large: 'failed',
  deadline: 'failed',
  client_left: 'ok',
  cut: 'ok',
};

/** The status of a request that was too large. */
const REQUEST_TOO_LARGE = 413;

function resultOf({ outcome, status }: CallRecord): IntegrationResult {
  if (outcome === 'relayed' && status >= 500) return 'failed';
  if (outcome === 'too_large' && status === REQUEST_TOO_LARGE) return 'refused';
  return RESULTS[outcome];
}

/** Integrations with their own label value in a metric, which has at least one series for each of them and each node. */
const MAX_INTEGRATIONS = 200;

/** The label value of all integrations beyond. */
export const OTHERS = 'other';

/**
 * Keeps the series of a metric for each integration. The first ones that are called have their id as a label value: it
 * is an admin's to see, and the name can change.
 *
 * @param create makes the series for a label value
 */
export function createIntegrationSeries<Series>(create: (label: string) => Series): {
  readonly known: ReadonlyMap<string, Series>;
  of(integrationId: string): Series;
} {
  const known = new Map<string, Series>();
  const of = (integrationId: string): Series => {
    const series = known.get(integrationId);
    if (series !== undefined) return series;
    if (known.size >= MAX_INTEGRATIONS && integrationId !== OTHERS) return of(OTHERS);
    const created = create(integrationId);
    known.set(integrationId, created);
    return created;
  };
  return { known, of };
}
