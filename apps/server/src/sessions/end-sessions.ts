import { type EndedSessions, type EventActor, limits } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Era } from '../mcp/era.ts';
import type { Db, Tx } from '../platform/database/store.ts';
import { matches, type SessionsFilter } from './find-sessions.ts';
import { isLasting, revokeLease } from './leases.ts';
import { isInFlightBeside, isOpenBeside, type SessionAdmin } from './shown-session.ts';
import { interval, isOpen, refusedUntil, revokeAssignments } from './sql.ts';

/** Counts of the sessions and leases that have ended, or would end. */
export interface EndedBatch extends EndedSessions {
  /** The newest of them, as many as a response names. */
  readonly newest: readonly string[];
}

/**
 * The open sessions and the leases of a filter that still last, at most `countedSessions` of each. The indexes of open rows have
 * them; which of them are taken where there are more does not matter.
 */
export async function countOpenSessions(
  db: Db,
  filter: SessionsFilter,
  admin: SessionAdmin,
): Promise<EndedBatch> {
  const view = admin.viewOf(filter);
  const [counted] = await db.$queryRaw<[EndedBatch]>`
    WITH "sessions" AS MATERIALIZED (
      SELECT s."id", ${isInFlightBeside(view)} AS "isLive" FROM "Session" s
      WHERE ${canEnd(filter, 'session')} AND ${matches(filter)} AND ${isOpenBeside(view)}
      LIMIT ${limits.countedSessions}
    ), "leases" AS MATERIALIZED (
      SELECT "id" FROM "CredentialLease"
      WHERE ${canEnd(filter, 'lease')} AND ${matches(filter)} AND ${isLasting}
      LIMIT ${limits.countedSessions}
    )
    SELECT (SELECT count(*) FROM "sessions")::int AS "sessions",
      (SELECT count(*) FROM "leases")::int AS "leases",
      (SELECT count(*) FILTER (WHERE "isLive") FROM "sessions")::int AS "streams",
      ARRAY(SELECT "id" FROM (SELECT "id" FROM "sessions" UNION ALL SELECT "id" FROM "leases") "both"
        ORDER BY "id" DESC LIMIT ${limits.namedRows}) AS "newest"`;
  return counted;
}

/**
 * Ends open sessions and leases of a filter, each as if it were revoked by itself: a modern one blocks its token on that
 * attachment, and a lease its holder. At most `endedSessions`; those that end at the same time otherwise are not counted.
 */
export async function endSessions(
  tx: Tx,
  filter: SessionsFilter,
  admin: SessionAdmin,
  actor: EventActor,
): Promise<EndedBatch> {
  const view = admin.viewOf(filter);
  const blockedUntil = Prisma.sql`now() + ${interval(view.windows.modernTtl)}`;
  const sessions = await tx.db.$queryRaw<(RevokedSession & { readonly isLive: boolean })[]>`
    WITH "chosen" AS MATERIALIZED (
      SELECT s."id" FROM "Session" s
      WHERE ${canEnd(filter, 'session')} AND ${matches(filter)} AND ${isOpenBeside(view)}
      LIMIT ${limits.endedSessions}
    ), "locked" AS (
      SELECT "id" FROM "Session"
      WHERE "id" = ANY(ARRAY(SELECT "id" FROM "chosen")) AND "state" = 'open'
      ORDER BY "id" FOR NO KEY UPDATE
    )
    UPDATE "Session" s SET ${revokeAssignments},
      "refusedUntil" = ${refusedUntil(view.windows)}
    FROM "locked" l WHERE s."id" = l."id" AND s."state" = 'open'
    RETURNING s."id", s."applicationId", s."era"::text AS "era", s."tokenId",
      ${isInFlightBeside(view)} AS "isLive"`;
  const leases = await tx.db.$queryRaw<EndedRow[]>`
    WITH "locked" AS MATERIALIZED (
      SELECT "id" FROM "CredentialLease"
      WHERE ${canEnd(filter, 'lease')} AND ${matches(filter)} AND ${isLasting}
      ORDER BY "id" LIMIT ${limits.endedSessions - sessions.length} FOR NO KEY UPDATE
    )
    UPDATE "CredentialLease" l SET "endedAt" = now(), "refusedUntil" = ${blockedUntil}
    FROM "locked" k WHERE l."id" = k."id" AND l."endedAt" IS NULL
    RETURNING l."id", l."applicationId"`;
  announceRevoked(tx, sessions, actor);
  for (const { id, applicationId } of leases) {
    tx.record({ action: 'lease.revoked', actor, targetId: id, applicationId });
  }
  return {
    sessions: sessions.length,
    leases: leases.length,
    streams: sessions.filter(({ isLive }) => isLive).length,
    newest: newestOf([...sessions, ...leases]),
  };
}

/**
 * Revokes one session, or one lease. A client without a protocol session would begin the next one by its next call,
 * so its token is blocked on that attachment for as long as a modern session lasts without activity.
 * A session behind an aggregate one would begin again for its client, so the aggregate session begins no other there.
 * A session that has already expired blocks nothing, even if its row is still open.
 *
 * @returns false when the application has neither with that id; one that has already ended is not changed.
 */
export async function revokeSession(
  tx: Tx,
  session: { readonly id: string; readonly applicationId: string },
  { windows }: Pick<SessionAdmin, 'windows'>,
  actor: EventActor,
): Promise<boolean> {
  const { id, applicationId } = session;
  const revoked = await tx.db.$queryRaw<RevokedSession[]>`
    UPDATE "Session" s SET ${revokeAssignments},
      "refusedUntil" = CASE WHEN ${isOpen(windows)} THEN ${refusedUntil(windows)} END
    WHERE s."id" = ${id}::uuid AND s."applicationId" = ${applicationId}::uuid AND s."state" = 'open'
    RETURNING s."id", s."applicationId", s."era"::text AS "era", s."tokenId"`;
  announceRevoked(tx, revoked, actor);
  if (revoked.length > 0) return true;
  const isSession = (await tx.db.session.count({ where: { id, applicationId } })) > 0;
  return isSession || revokeLease(tx, session, windows, actor);
}

interface EndedRow {
  readonly id: string;
  readonly applicationId: string;
}

interface RevokedSession extends EndedRow {
  readonly era: Era;
  readonly tokenId: string;
}

function announceRevoked(tx: Tx, sessions: readonly RevokedSession[], actor: EventActor): void {
  for (const { id, applicationId } of sessions) {
    tx.announce({ kind: 'session', id });
    tx.record({ action: 'session.revoked', actor, targetId: id, applicationId });
  }
  // Nodes cache under the token that it is not blocked.
  const modern = sessions.filter(({ era }) => era === 'modern');
  for (const id of new Set(modern.map(({ tokenId }) => tokenId)))
    tx.announce({ kind: 'token', id });
}

function newestOf(rows: readonly EndedRow[]): string[] {
  const ids = rows.map(({ id }) => id).sort();
  return ids.reverse().slice(0, limits.namedRows);
}

/** False for a filter of a kind that is not asked for, or of rows that have ended. */
function canEnd({ kind, state }: SessionsFilter, of: 'session' | 'lease'): Prisma.Sql {
  const isMeant = (kind ?? of) === of && (state ?? 'open') === 'open';
  return isMeant ? Prisma.sql`true` : Prisma.sql`false`;
}
