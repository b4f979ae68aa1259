import { closedCounter, type Metrics } from '../platform/metrics.ts';
import type { Limited } from './call-limits.ts';
import { type LimitLevel, limitLevels } from './levels.ts';

const KINDS = { perMinute: 'per_minute', concurrent: 'concurrent' } as const;

/** Counts the calls that a limit has refused. */
export function countLimited(metrics: Metrics): (limited: Limited) => void {
  const count = closedCounter<{ level: LimitLevel; limit: (typeof KINDS)[keyof typeof KINDS] }>(
    metrics,
    {
      name: 'gatehouse_limited_calls_total',
      help: 'Gateway calls that a limit refused, by who shares it and what it limits.',
      labels: { level: limitLevels, limit: Object.values(KINDS) },
    },
  );
  return ({ level, limit }) => count({ level, limit: KINDS[limit] });
}
