import type { Session } from '@gatehouse/contract';
import type { ListedSession } from '../../sessions/sessions.ts';

/** `createdAt` is from a node's clock, `lastActivityAt` from the database's: the later of the two is presented. */
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
