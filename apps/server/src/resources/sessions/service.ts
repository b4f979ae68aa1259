import { type EndedSessions, limits } from '@gatehouse/contract';
import { actorOfCaller, isAdmin, type PersonCaller } from '../../identity/caller.ts';
import type { Mutation } from '../../identity/mutation.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import {
  countOpenSessions,
  type EndedBatch,
  endSessions,
  revokeSession,
} from '../../sessions/end-sessions.ts';
import {
  type FoundSession,
  type FoundSessions,
  findSessions,
  findSessionsById,
  type SessionsFilter,
} from '../../sessions/find-sessions.ts';
import type { SessionAdmin } from '../../sessions/shown-session.ts';
import { requireApplication } from '../applications/service.ts';

interface SessionsDeps {
  readonly sessions: SessionAdmin;
}

/** Revokes a session of an application that the caller can see. @throws ProblemError `not_found` */
export async function revokeSessionOf(
  { tx, actor }: Mutation,
  { sessions }: SessionsDeps,
  applicationId: string,
  id: string,
): Promise<void> {
  await requireApplication(tx.db, actor, applicationId);
  if (await revokeSession(tx, { id, applicationId }, sessions, actorOfCaller(actor))) return;
  throw new ProblemError('not_found', 'The application has no such session.');
}

/** The sessions of a filter that the caller may see. */
export async function findAllSessions(
  db: Db,
  { sessions }: SessionsDeps,
  actor: PersonCaller,
  wanted: SessionsWanted,
  page: { readonly before: string | undefined; readonly take: number },
): Promise<FoundSessions> {
  const filter = ownAmong(actor, wanted);
  if (filter === undefined) return { rows: [], reachedId: null };
  return findSessions(db, { filter, ...page }, sessions);
}

/** What has ended, or would end, with the newest rows of it. */
export interface EndedSessionsReceipt extends EndedSessions {
  readonly remaining: number;
  readonly rows: readonly FoundSession[];
}

/** Ends the open sessions of a filter that the caller may see, as many as one request ends. */
export async function endAllSessions(
  { tx, actor }: Mutation,
  { sessions }: SessionsDeps,
  wanted: SessionsWanted,
): Promise<EndedSessionsReceipt> {
  const filter = ownAmong(actor, wanted);
  if (filter === undefined) return NOTHING;
  const ended = await endSessions(tx, filter, sessions, actorOfCaller(actor));
  const left = await countOpenSessions(tx.db, filter, sessions);
  return receiptOf(tx.db, sessions, filter, ended, left.sessions + left.leases);
}

/** What {@link endAllSessions} would end, in as many requests as it takes. */
export async function previewEnd(
  db: Db,
  { sessions }: SessionsDeps,
  actor: PersonCaller,
  wanted: SessionsWanted,
): Promise<EndedSessionsReceipt> {
  const filter = ownAmong(actor, wanted);
  if (filter === undefined) return NOTHING;
  const open = await countOpenSessions(db, filter, sessions);
  const remaining = Math.max(0, open.sessions + open.leases - limits.endedSessions);
  return receiptOf(db, sessions, filter, open, remaining);
}

const NOTHING: EndedSessionsReceipt = {
  sessions: 0,
  leases: 0,
  streams: 0,
  remaining: 0,
  rows: [],
};

async function receiptOf(
  db: Db,
  sessions: SessionAdmin,
  filter: SessionsFilter,
  { newest, ...counts }: EndedBatch,
  remaining: number,
): Promise<EndedSessionsReceipt> {
  const rows = await findSessionsById(db, newest, filter, sessions);
  return { ...counts, remaining, rows };
}

/** What a request asks for, as the contract parses it. */
type SessionsWanted = Omit<SessionsFilter, 'organizationId'>;

/**
 * The sessions that the caller may see and end among those of a filter: a member their own. Undefined where
 * a member asks for those of another.
 */
function ownAmong(
  actor: PersonCaller,
  { applicationId, integrationId, userId, kind, state }: SessionsWanted,
): SessionsFilter | undefined {
  const { organizationId } = actor;
  const wanted = { organizationId, applicationId, integrationId, kind, state };
  if (isAdmin(actor)) return { ...wanted, userId };
  if (userId !== undefined && userId !== actor.userId) return undefined;
  return { ...wanted, userId: actor.userId };
}
