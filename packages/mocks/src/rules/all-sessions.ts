import { type EndSessionsResponse, limits, type SessionWithNames } from '@gatehouse/contract';
import { type Actor, isAdmin } from '../http/actor.ts';
import type { LeaseRow, SessionRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { revokeLease } from './leases.ts';
import { countOpen, presentLease, presentSession, revokeSessions } from './sessions.ts';

/** Which sessions are meant: every field that is set matches. */
export interface SessionsWanted {
  readonly applicationId?: string | undefined;
  readonly integrationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly state?: string | undefined;
  readonly kind?: string | undefined;
}

/** Sessions and leases of a filter that the caller may see: a member their own. Newest first. */
export function findSessions(
  state: State,
  actor: Actor,
  wanted: SessionsWanted,
): SessionWithNames[] {
  const rows = [...state.sessions.values(), ...state.leases.values()];
  return rows
    .filter(({ applicationId, userId }) => {
      const application = state.applications.get(applicationId);
      const isOfOrganization = application?.organizationId === actor.organizationId;
      return isOfOrganization && (isAdmin(actor) || userId === actor.userId);
    })
    .filter((row) => isOf(row, wanted))
    .map((row) => presentWithNames(state, row))
    .filter((session) => (wanted.state ?? session.state) === session.state)
    .filter((session) => (wanted.kind ?? session.kind) === session.kind)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** By the rows' own columns: an application that acts for itself is its user there. */
function isOf(row: SessionRow | LeaseRow, wanted: SessionsWanted): boolean {
  return (['applicationId', 'integrationId', 'userId'] as const).every(
    (field) => (wanted[field] ?? row[field]) === row[field],
  );
}

function presentWithNames(state: State, row: SessionRow | LeaseRow): SessionWithNames {
  const session = 'refusedUntil' in row ? presentLease(row) : presentSession(row);
  const { applicationId, integrationId } = row;
  return {
    ...session,
    applicationId,
    applicationName: state.applications.get(applicationId)?.name ?? '',
    integrationName: state.integrations.get(integrationId)?.name ?? '',
    userName: state.users.get(row.userId)?.name ?? null,
  };
}

/** The open ones among them, ended unless it is a dry run: the receipt. */
export function endSessions(
  state: State,
  actor: Actor,
  { filter, dryRun = false }: { readonly filter: SessionsWanted; readonly dryRun?: boolean },
): EndSessionsResponse {
  const open = findSessions(state, actor, filter).filter((session) => session.state === 'open');
  const batch = open.slice(0, limits.endedSessions);
  const meant = new Set((dryRun ? open : batch).map(({ id }) => id));
  const ended = countOpen(state, ({ id }) => meant.has(id));
  if (!dryRun) end(state, batch);
  const named = new Set(batch.slice(0, limits.namedRows).map(({ id }) => id));
  const items = findSessions(state, actor, {}).filter(({ id }) => named.has(id));
  return { ended, remaining: open.length - batch.length, items };
}

function end(state: State, batch: readonly SessionWithNames[]): void {
  for (const { kind, id, applicationId } of batch) {
    if (kind === 'lease') revokeLease(state, applicationId, id);
    else revokeSessions(state, (session) => session.id === id);
  }
}
