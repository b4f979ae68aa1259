import type { Session } from '@gatehouse/contract';
import type { ListedSession } from '../../sessions/listing.ts';

/**
 * A session has no user if the application acted for itself. `createdAt` is from a node's clock, `lastActivityAt` from the database's: the later of the two
 * is presented.
 */
export function presentSession(applicationId: string, session: ListedSession): Session {
  const { kind, id, integrationId, userId, era, state, live, createdAt } = session;
  const lastActivityAt = Math.max(session.lastActivityAt.getTime(), createdAt.getTime());
  return {
    kind,
    id,
    integrationId,
    userId: userId === applicationId ? null : userId,
    era,
    state,
    live,
    createdAt: createdAt.toISOString(),
    lastActivityAt: new Date(lastActivityAt).toISOString(),
    endedAt: session.endedAt?.toISOString() ?? null,
    expiresAt: session.expiresAt?.toISOString() ?? null,
  };
}
