import type { CallLimits, Limited, Reservation } from '../../src/limits/call-limits.ts';
import type { LevelLimits } from '../../src/limits/levels.ts';

/** The limits of an integration, as a route has them. */
export function ofIntegration(id: string, limits: LevelLimits['limits']): readonly LevelLimits[] {
  return [{ level: 'integration', key: `integration:${id}`, limits }];
}

/** Of one call with as many requests. */
export async function reserve(
  limits: CallLimits,
  levels: readonly LevelLimits[],
  requests = 1,
): Promise<Reservation | Limited> {
  return limits.reserve(levels, 'person', { perMinute: requests, concurrent: requests });
}

/** How many of these calls at once may go up. */
export async function reserveMany(
  limits: CallLimits,
  levels: readonly LevelLimits[],
  calls: number,
): Promise<number> {
  const outcomes = Array.from({ length: calls }, () => reserve(limits, levels));
  return (await Promise.all(outcomes)).filter(isReserved).length;
}

export function isReserved(outcome: Reservation | Limited): outcome is Reservation {
  return outcome.kind === 'reserved';
}
