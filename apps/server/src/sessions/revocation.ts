import type { EventActor } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Era } from '../mcp/era.ts';
import type { Db, Tx } from '../platform/database/store.ts';
import { revokeLease, revokeLeases } from './leases.ts';
import { isInFlightBeside, type SessionView } from './shown-session.ts';
import { isOpen, refusedUntil, revokeAssignments, ttl } from './sql.ts';
import type { SessionWindows } from './windows.ts';

/*
 * Each `revokeSessionsOf…` revokes open sessions, and leases of credentials, inside the transaction that removes what they depend
 * on, and announces that row itself, so that no caller can forget it: every node then drops the
 * sessions from memory, refuses their next call and cuts streams.
 * Revoking sessions together blocks no token: its calls are refused for what was removed, and it may
 * begin again once that is given back.
 */

export async function revokeSessionsOfApplication(tx: Tx, applicationId: string): Promise<void> {
  await revoke(tx.db, Prisma.sql`"applicationId" = ${applicationId}::uuid`);
  tx.announce({ kind: 'application', id: applicationId });
}

export async function revokeSessionsOfIntegration(tx: Tx, integrationId: string): Promise<void> {
  await revoke(tx.db, Prisma.sql`"integrationId" = ${integrationId}::uuid`);
  tx.announce({ kind: 'integration', id: integrationId });
}

/** @param attachmentIds those detached from the application; attaching again makes new rows, so their sessions never come back */
export async function revokeSessionsOfAttachments(
  tx: Tx,
  applicationId: string,
  attachmentIds: readonly string[],
): Promise<void> {
  await revoke(
    tx.db,
    Prisma.sql`"applicationId" = ${applicationId}::uuid
      AND "attachmentId" = ANY(${[...attachmentIds]}::uuid[])`,
  );
  tx.announce({ kind: 'application', id: applicationId });
}

export async function revokeSessionsOfUser(tx: Tx, userId: string): Promise<void> {
  await revoke(tx.db, Prisma.sql`"userId" = ${userId}::uuid`);
  tx.announce({ kind: 'member', id: userId });
}

export async function revokeSessionsOfConnection(
  tx: Tx,
  integrationId: string,
  userId: string,
): Promise<void> {
  await revoke(
    tx.db,
    Prisma.sql`"userId" = ${userId}::uuid AND "integrationId" = ${integrationId}::uuid`,
  );
  tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` });
}

/** Ends leases and modern sessions, which are the token's activity. Legacy ones belong to the user and stay open. */
export async function revokeSessionsOfToken(tx: Tx, tokenId: string): Promise<void> {
  await revokeOfTokens(tx.db, Prisma.sql`"tokenId" = ${tokenId}::uuid`);
  tx.announce({ kind: 'token', id: tokenId });
}

/** Like {@link revokeSessionsOfToken}, for many tokens. The caller has announced their end. */
export async function revokeSessionsOfTokens(tx: Tx, tokenIds: readonly string[]): Promise<void> {
  if (tokenIds.length === 0) return;
  await revokeOfTokens(tx.db, Prisma.sql`"tokenId" = ANY(${[...tokenIds]}::uuid[])`);
}

/** An application or a member: all sessions of it. */
export interface SessionsOf {
  readonly kind: 'application' | 'member';
  readonly id: string;
}

/** Counts of a revocation of many sessions. */
export interface RevokedSessions {
  /** Sessions that were open. */
  readonly sessions: number;
  /** Open sessions with something in flight, on any node. */
  readonly streams: number;
  /** Leases of credentials that still lasted. */
  readonly leases: number;
}

/**
 * Revokes the sessions and leases of an application or a member, and counts in the same statement what was
 * open, and what was in flight at that moment: on this node by its memory, which is ahead of its rows.
 */
export async function revokeAndCount(
  tx: Tx,
  of: SessionsOf,
  view: SessionView,
): Promise<RevokedSessions> {
  const condition =
    of.kind === 'application'
      ? Prisma.sql`"applicationId" = ${of.id}::uuid`
      : Prisma.sql`"userId" = ${of.id}::uuid`;
  const leases = await revokeLeases(tx.db, condition);
  const [counts] = await tx.db.$queryRaw<[Omit<RevokedSessions, 'leases'>]>`
    WITH "revoked" AS (
      UPDATE "Session" s SET ${revokeAssignments}
      WHERE ${condition} AND s."state" = 'open'
      RETURNING s."lastActivityAt" > now() - ${ttl(view.windows)} AS "isRecent",
        ${isInFlightBeside(view)} AS "isLive"
    )
    SELECT count(*) FILTER (WHERE "isRecent" OR "isLive")::int AS "sessions",
      count(*) FILTER (WHERE "isLive")::int AS "streams" FROM "revoked"`;
  tx.announce(of);
  return { ...counts, leases };
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
  { windows, actor }: { readonly windows: SessionWindows; readonly actor: EventActor },
): Promise<boolean> {
  const { id, applicationId } = session;
  const [revoked] = await tx.db.$queryRaw<{ era: Era; tokenId: string }[]>`
    UPDATE "Session" s SET ${revokeAssignments},
      "refusedUntil" = CASE WHEN ${isOpen(windows)} THEN ${refusedUntil(windows)} END
    WHERE s."id" = ${id}::uuid AND s."applicationId" = ${applicationId}::uuid AND s."state" = 'open'
    RETURNING s."era"::text AS "era", s."tokenId"`;
  if (revoked === undefined) {
    const isSession = (await tx.db.session.count({ where: { id, applicationId } })) > 0;
    return isSession || revokeLease(tx, session, { windows, actor });
  }
  tx.announce({ kind: 'session', id });
  tx.record({ action: 'session.revoked', actor, targetId: id, applicationId });
  // Nodes cache under the token that it is not blocked.
  if (revoked.era === 'modern') tx.announce({ kind: 'token', id: revoked.tokenId });
  return true;
}

async function revoke(db: Db, condition: Prisma.Sql): Promise<void> {
  await revokeOnlySessions(db, condition);
  await revokeLeases(db, condition);
}

async function revokeOfTokens(db: Db, condition: Prisma.Sql): Promise<void> {
  await revokeOnlySessions(db, Prisma.sql`${condition} AND "era" = 'modern'`);
  await revokeLeases(db, condition);
}

function revokeOnlySessions(db: Db, condition: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    UPDATE "Session" s SET ${revokeAssignments}
    WHERE ${condition} AND "state" = 'open'`;
}
