import type { Session } from '@gatehouse/contract';
import type { SessionRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';

const ACTIVE_WINDOW = 5 * 60_000;
const TTL = { legacy: 24 * 60 * 60_000, modern: 30 * 60_000 } as const;

export interface SessionCounts {
  readonly activeSessionCount: number;
  readonly idleSessionCount: number;
  readonly liveSessionCount: number;
  readonly totalSessionCount: number;
}

const inactivity = ({ lastActivityAt }: SessionRow) => Date.now() - Date.parse(lastActivityAt);

/** An open session expires after inactivity, unless a stream or request is in progress. */
function stateOf(session: SessionRow): SessionRow['state'] {
  if (session.state !== 'open' || session.live) return session.state;
  return inactivity(session) < TTL[session.era] ? 'open' : 'expired';
}

/** The counters of one application. */
export function countSessions({ sessions }: State, applicationId: string): SessionCounts {
  const all = [...sessions.values()].filter((session) => session.applicationId === applicationId);
  const open = all.filter((session) => stateOf(session) === 'open');
  const active = open.filter((session) => inactivity(session) < ACTIVE_WINDOW);
  return {
    activeSessionCount: active.length,
    idleSessionCount: open.length - active.length,
    liveSessionCount: open.filter(({ live }) => live).length,
    totalSessionCount: all.length,
  };
}

export type SessionFilter = (session: SessionRow) => boolean;

/** The open sessions that match, and those of them with something in flight. */
export function countOpen(
  { sessions }: State,
  matches: SessionFilter,
): { readonly sessions: number; readonly streams: number } {
  const found = [...sessions.values()].filter(matches);
  const open = found.filter((session) => stateOf(session) === 'open');
  return { sessions: open.length, streams: open.filter(({ live }) => live).length };
}

/** Ends the open sessions that match. Returns whether any session matched. */
export function revokeSessions({ sessions }: State, matches: SessionFilter): boolean {
  const found = [...sessions.values()].filter(matches);
  const endedAt = new Date().toISOString();
  for (const session of found) {
    if (session.state !== 'open') continue;
    sessions.set(session.id, { ...session, state: 'revoked', live: false, endedAt });
  }
  return found.length > 0;
}

export function presentSession(session: SessionRow): Session {
  const { id, integrationId, userId, era, createdAt, lastActivityAt, endedAt } = session;
  const live = session.state === 'open' && session.live;
  return {
    id,
    integrationId,
    userId,
    era,
    state: stateOf(session),
    live,
    createdAt,
    lastActivityAt,
    endedAt,
  };
}
