import type { Session } from '@gatehouse/contract';
import type { LeaseRow, SessionRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';

const ACTIVE_WINDOW = 5 * 60_000;
const TTL = { legacy: 24 * 60 * 60_000, modern: 30 * 60_000 } as const;

const isLasting = ({ endedAt, expiresAt }: LeaseRow) =>
  endedAt === null && Date.parse(expiresAt) > Date.now();

export interface SessionCounts {
  readonly activeSessionCount: number;
  readonly idleSessionCount: number;
  readonly liveSessionCount: number;
  readonly totalSessionCount: number;
  readonly firstCallAt: string | null;
}

const inactivity = ({ lastActivityAt }: SessionRow) => Date.now() - Date.parse(lastActivityAt);

/** An open session expires after inactivity, unless a stream or request is in progress. */
function stateOf(session: SessionRow): SessionRow['state'] {
  if (session.state !== 'open' || session.live) return session.state;
  return inactivity(session) < TTL[session.era] ? 'open' : 'expired';
}

/** The counters of one application. A lease that lasts is active, and in no other counter. The console's sessions are no calls of a client. */
export function countSessions({ sessions, leases }: State, applicationId: string): SessionCounts {
  const all = [...sessions.values()].filter((session) => session.applicationId === applicationId);
  const open = all.filter((session) => stateOf(session) === 'open');
  const active = open.filter((session) => inactivity(session) < ACTIVE_WINDOW);
  const lasting = [...leases.values()].filter(
    (lease) => lease.applicationId === applicationId && isLasting(lease),
  );
  return {
    activeSessionCount: active.length + lasting.length,
    idleSessionCount: open.length - active.length,
    liveSessionCount: open.filter(({ live }) => live).length,
    totalSessionCount: all.length,
    firstCallAt: firstOf(all.filter(({ isOfConsole }) => !isOfConsole)),
  };
}

function firstOf(sessions: readonly SessionRow[]): string | null {
  return sessions.map(({ createdAt }) => createdAt).sort()[0] ?? null;
}

/** What sessions and leases have in common. */
type Revocable = Pick<
  SessionRow,
  'id' | 'applicationId' | 'integrationId' | 'userId' | 'tokenId' | 'era'
>;

export type SessionFilter = (session: Revocable) => boolean;

/** The open sessions that match, those of them with something in flight, and the leases that last. */
export function countOpen(
  { sessions, leases }: State,
  matches: SessionFilter,
): { readonly sessions: number; readonly streams: number; readonly leases: number } {
  const found = [...sessions.values()].filter(matches);
  const open = found.filter((session) => stateOf(session) === 'open');
  const lasting = [...leases.values()].filter((lease) => matches(lease) && isLasting(lease));
  return {
    sessions: open.length,
    streams: open.filter(({ live }) => live).length,
    leases: lasting.length,
  };
}

/** Ends the open sessions and the leases that match. Returns whether any matched. */
export function revokeSessions({ sessions, leases }: State, matches: SessionFilter): boolean {
  const found = [...sessions.values()].filter(matches);
  const endedAt = new Date().toISOString();
  for (const session of found) {
    if (session.state !== 'open') continue;
    sessions.set(session.id, { ...session, state: 'revoked', live: false, endedAt });
  }
  const foundLeases = [...leases.values()].filter(matches);
  for (const lease of foundLeases) {
    if (isLasting(lease)) leases.set(lease.id, { ...lease, endedAt });
  }
  return found.length + foundLeases.length > 0;
}

export function presentSession(session: SessionRow): Session {
  const { id, integrationId, userId, era, createdAt, lastActivityAt, endedAt } = session;
  const live = session.state === 'open' && session.live;
  return {
    kind: 'session',
    id,
    integrationId,
    userId,
    era,
    state: stateOf(session),
    live,
    createdAt,
    lastActivityAt,
    endedAt,
    expiresAt: null,
  };
}

export function presentLease(lease: LeaseRow): Session {
  const { id, applicationId, integrationId, userId, era, createdAt, endedAt, expiresAt } = lease;
  const ended = endedAt === null ? 'expired' : 'revoked';
  return {
    kind: 'lease',
    id,
    integrationId,
    userId: userId === applicationId ? null : userId,
    era,
    state: isLasting(lease) ? 'open' : ended,
    live: false,
    createdAt,
    lastActivityAt: createdAt,
    endedAt,
    expiresAt,
  };
}
