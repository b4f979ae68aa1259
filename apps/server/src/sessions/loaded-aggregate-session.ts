import type { Loaded } from '../platform/changes/create-cache.ts';
import type { AggregateSession, HeldAggregateSession } from './aggregate-session.ts';

/** As it is kept in memory. @param silentFor milliseconds since its last use */
export function toLoaded(
  session: AggregateSession,
  silentFor: number,
): Loaded<HeldAggregateSession> {
  const usedAt = performance.now() - silentFor;
  return {
    value: { session, usedAt, notedAt: usedAt },
    dependsOn: [
      { kind: 'session', id: session.id },
      { kind: 'application', id: session.applicationId },
      { kind: 'member', id: session.subjectId },
    ],
  };
}
