import { Prisma } from '../generated/prisma/client.ts';
import type { Db, Tx } from '../platform/database/store.ts';
import { revokeLeases } from './leases.ts';
import { isInFlightBeside, type SessionAdmin } from './shown-session.ts';
import { revokeAssignments, ttl } from './sql.ts';

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
  admin: SessionAdmin,
): Promise<RevokedSessions> {
  const isOfApplication = of.kind === 'application';
  const view = admin.viewOf(isOfApplication ? { applicationId: of.id } : { userId: of.id });
  const condition = isOfApplication
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
