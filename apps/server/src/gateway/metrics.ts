import { Counter, Gauge, Histogram } from 'prom-client';
import type { Era } from '../mcp/era.ts';
import type { Metrics } from '../platform/metrics.ts';

/** How a call ended. */
export type CallOutcome =
  /** The upstream's response reached its end. */
  | 'relayed'
  /** The gateway responded with a problem, or to a CORS preflight. */
  | 'refused'
  /** No usable credential, or the upstream rejected it. */
  | 'credential'
  /** Answered by the gateway as the MCP server that says how to connect. */
  | 'connect'
  /** The upstream was not reached, closed the connection, or redirected. */
  | 'upstream_failed'
  /** A response was over its limit, or a request that declared no length. */
  | 'too_large'
  | 'deadline'
  | 'client_left'
  /** Ended by the gateway: revoked while open, or shutting down. */
  | 'cut';

export interface GatewayMetrics {
  /** @param status of the response; 0 if there was none. */
  countCall(outcome: CallOutcome, era: Era, status: number): void;
  observeHead(era: Era, seconds: number): void;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Registers the gateway's metrics. Label values are from closed lists. */
export function createGatewayMetrics(
  { registry }: Metrics,
  openStreams: () => number,
): GatewayMetrics {
  const registers = [registry];
  const counts = new Map<string, number>();
  new Counter({
    name: 'gatehouse_gateway_calls_total',
    help: 'Gateway calls by outcome, protocol era and status class.',
    labelNames: ['outcome', 'era', 'status'],
    registers,
    // Calls are counted in a plain map: the counter hashes its labels at every increment.
    collect() {
      for (const [key, count] of counts) {
        const [outcome = '', era = '', status = ''] = key.split(' ');
        this.inc({ outcome, era, status }, count);
      }
      counts.clear();
    },
  });
  const latency = new Histogram({
    name: 'gatehouse_gateway_head_seconds',
    help: 'Seconds from the arrival of a relayed call to the head of its response.',
    labelNames: ['era'],
    buckets: BUCKETS,
    registers,
  });
  new Gauge({
    name: 'gatehouse_gateway_open_streams',
    help: 'Event streams open on this node.',
    registers,
    collect() {
      this.set(openStreams());
    },
  });
  for (const era of ['legacy', 'modern']) latency.zero({ era });
  const ofEra = { legacy: latency.labels('legacy'), modern: latency.labels('modern') };
  return {
    countCall(outcome, era, status) {
      const key = `${outcome} ${era} ${classOf(status)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    observeHead: (era, seconds) => ofEra[era].observe(seconds),
  };
}

function classOf(status: number): string {
  if (status < 200) return 'none';
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}
