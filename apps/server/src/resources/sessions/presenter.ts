import type { EndSessionsResponse, Session, SessionWithNames } from '@gatehouse/contract';
import type { FoundSession } from '../../sessions/find-sessions.ts';
import type { ListedSession } from '../../sessions/shown-session.ts';
import type { EndedSessionsReceipt } from './service.ts';

/**
 * A session has no user if the application acted for itself. `createdAt` is from a node's clock, `lastActivityAt` from the database's: the later of the two
 * is presented.
 */
export function presentSession(session: ListedSession): Session {
  const { kind, id, applicationId, integrationId, userId, era, state, live, createdAt } = session;
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

export function presentFoundSession(session: FoundSession): SessionWithNames {
  const { applicationId, applicationName, integrationName, userName } = session;
  return { ...presentSession(session), applicationId, applicationName, integrationName, userName };
}

export function presentEndedSessions(receipt: EndedSessionsReceipt): EndSessionsResponse {
  const { sessions, leases, streams, remaining, rows } = receipt;
  return { ended: { sessions, leases, streams }, remaining, items: rows.map(presentFoundSession) };
}
