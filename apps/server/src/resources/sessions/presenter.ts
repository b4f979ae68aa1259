import type { Session } from '@gatehouse/contract';
import type { ListedSession } from './port.ts';

export function presentSession(session: ListedSession): Session {
  const { id, integrationId, userId, era, state, live } = session;
  return {
    id,
    integrationId,
    userId,
    era,
    state,
    live,
    createdAt: session.createdAt.toISOString(),
    lastActivityAt: session.lastActivityAt.toISOString(),
    endedAt: session.endedAt?.toISOString() ?? null,
  };
}
