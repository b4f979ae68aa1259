import { type Aggregate, type CallLimits, keptLimits } from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';

/** The columns of the one URL of an application. */
export type AggregateColumns = Pick<Application, 'aggregateMode' | 'aggregateNameLength'>;

export function aggregateOf({ aggregateMode, aggregateNameLength }: AggregateColumns): Aggregate {
  return { mode: aggregateMode, nameLength: aggregateNameLength };
}

export function aggregateColumnsOf({ mode, nameLength }: Aggregate): AggregateColumns {
  return { aggregateMode: mode, aggregateNameLength: nameLength };
}

/** The columns with the limits of all callers together. */
type LimitColumns = Pick<Application, 'callsPerMinute' | 'concurrentCalls'>;

export function limitsOf({ callsPerMinute, concurrentCalls }: LimitColumns): CallLimits | null {
  return keptLimits({
    ...(callsPerMinute === null ? {} : { perMinute: callsPerMinute }),
    ...(concurrentCalls === null ? {} : { concurrent: concurrentCalls }),
  });
}

export function limitColumnsOf(limits: CallLimits | null): LimitColumns {
  return {
    callsPerMinute: limits?.perMinute ?? null,
    concurrentCalls: limits?.concurrent ?? null,
  };
}
