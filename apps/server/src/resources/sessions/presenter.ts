import type { Session } from '@gatehouse/contract';
import type { ListedSession } from '../../sessions/sessions.ts';

/** `createdAt` is of the node's clock and `lastActivityAt` of the database's, so the latter may be earlier. */
export function presentSession(session: ListedSession): Session {
  const { id, integrationId, userId, era, state, live, createdAt } = session;
  const lastActivityAt = Math.max(session.lastActivityAt.getTime(), createdAt.getTime());
  return {
    id,
    integrationId,
    userId,
    era,
    state,
    live,
    createdAt: createdAt.toISOString(),
    lastActivityAt: new Date(lastActivityAt).toISOString(),
    endedAt: session.endedAt?.toISOString() ?? null,
  };
}
