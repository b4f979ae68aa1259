import { type CallLimits, keptLimits } from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';

/** The columns with the limits of all callers together. */
export type LimitColumns = Pick<Application, 'callsPerMinute' | 'concurrentCalls'>;

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
