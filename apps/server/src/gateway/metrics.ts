import { Counter, Gauge, Histogram } from 'prom-client';
import type { DroppedMessage } from '../mcp/awaited-messages.ts';
import type { Era } from '../mcp/era.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { CallObserver } from './call-record.ts';
import { createIntegrationSeries, OTHERS } from './integration-metrics.ts';

export interface GatewayMetrics {
  /** The head of a relayed response is sent. @param seconds since the arrival of the call */
  observeHead(integrationId: string, era: Era, seconds: number): void;
  /** A message of an upstream is not passed on. */
  countDropped(message: DroppedMessage): void;
}

const DROPPED: readonly DroppedMessage[] = ['response', 'progress', 'unreadable'];

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts the calls and the open-ended streams that have ended. */
export function createCallCounter(metrics: Metrics): CallObserver {
  const calls = countsByOutcome(
    'gatehouse_gateway_calls_total',
    'Gateway calls by outcome, protocol era and status class.',
    metrics,
  );
  const streams = countsByOutcome(
    'gatehouse_gateway_streams_total',
    'Event streams of GET and subscriptions/listen that have ended, by outcome, protocol era and status class.',
    metrics,
  );
  return {
    ended({ outcome, era, status, isOpenEnded }) {
      const counts = isOpenEnded ? streams : calls;
      const key = `${outcome} ${era} ${classOf(status)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
  };
}

/** What has been counted since it was collected. Label values are from closed lists. */
function countsByOutcome(name: string, help: string, { registry }: Metrics): Map<string, number> {
  const counts = new Map<string, number>();
  new Counter({
    name,
    help,
    labelNames: ['outcome', 'era', 'status'],
    registers: [registry],
    // Calls are counted in a plain map: the counter hashes its labels at every increment.
    collect() {
      for (const [key, count] of counts) {
        const [outcome = '', era = '', status = ''] = key.split(' ');
        this.inc({ outcome, era, status }, count);
      }
      counts.clear();
    },
  });
  return counts;
}

/** Registers the metrics of calls that are open. */
export function createGatewayMetrics(
  { registry }: Metrics,
  openStreams: () => number,
): GatewayMetrics {
  const registers = [registry];
  const latency = new Histogram({
    name: 'gatehouse_gateway_head_seconds',
    help: 'Seconds from the arrival of a relayed call to the head of its response.',
    labelNames: ['integration', 'era'],
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
  const dropped = new Counter({
    name: 'gatehouse_gateway_dropped_messages_total',
    help: 'Messages of MCP servers that were not passed on, because nobody had asked for them.',
    labelNames: ['message'],
    registers,
  });
  for (const message of DROPPED) dropped.inc({ message }, 0);
  for (const era of ['legacy', 'modern']) latency.zero({ integration: OTHERS, era });
  const heads = createIntegrationSeries((integration) => ({
    legacy: latency.labels(integration, 'legacy'),
    modern: latency.labels(integration, 'modern'),
  }));
  return {
    observeHead: (id, era, seconds) => heads.of(id)[era].observe(seconds),
    countDropped: (message) => dropped.inc({ message }),
  };
}

function classOf(status: number): string {
  if (status < 200) return 'none';
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}
