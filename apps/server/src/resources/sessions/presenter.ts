import type { Session } from '@gatehouse/contract';
import type { ListedSession } from '../../sessions/sessions.ts';

/** A session is made by the node's clock and used by the database's; its use never reads as the earlier. */
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
