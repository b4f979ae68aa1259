import { Prisma } from '../generated/prisma/client.ts';
import type { Change } from '../platform/changes/changes.ts';
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

export function revokeSessionsOfApplication(tx: Tx, id: string): Promise<void> {
  return revoke(tx, Prisma.sql`"applicationId" = ${id}::uuid`, { kind: 'application', id });
}

export function revokeSessionsOfIntegration(tx: Tx, id: string): Promise<void> {
  return revoke(tx, Prisma.sql`"integrationId" = ${id}::uuid`, { kind: 'integration', id });
}

/** @param attachmentIds those detached from the application; attaching again makes new rows, so their sessions never come back */
export function revokeSessionsOfAttachments(
  tx: Tx,
  id: string,
  attachmentIds: readonly string[],
): Promise<void> {
  const condition = Prisma.sql`"applicationId" = ${id}::uuid
    AND "attachmentId" = ANY(${[...attachmentIds]}::uuid[])`;
  return revoke(tx, condition, { kind: 'application', id });
}

export function revokeSessionsOfUser(tx: Tx, id: string): Promise<void> {
  return revoke(tx, Prisma.sql`"userId" = ${id}::uuid`, { kind: 'member', id });
}

export function revokeSessionsOfConnection(
  tx: Tx,
  integrationId: string,
  userId: string,
): Promise<void> {
  const condition = Prisma.sql`
    "userId" = ${userId}::uuid AND "integrationId" = ${integrationId}::uuid`;
  return revoke(tx, condition, { kind: 'connection', id: `${integrationId}:${userId}` });
}

/** Ends leases and modern sessions, which are the token's activity. Legacy ones belong to the user and stay open. */
export async function revokeSessionsOfToken(tx: Tx, tokenId: string): Promise<void> {
  await revokeSessionsOfTokens(tx, [tokenId]);
  tx.announce({ kind: 'token', id: tokenId });
}

/** Like {@link revokeSessionsOfToken}, for many tokens. The caller has announced their end. */
export async function revokeSessionsOfTokens(
  { db }: Tx,
  tokenIds: readonly string[],
): Promise<void> {
  if (tokenIds.length === 0) return;
  const condition = Prisma.sql`"tokenId" = ANY(${[...tokenIds]}::uuid[])`;
  await revokeOnlySessions(db, Prisma.sql`${condition} AND "era" = 'modern'`);
  await revokeLeases(db, condition);
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

async function revoke({ db, announce }: Tx, condition: Prisma.Sql, change: Change): Promise<void> {
  await revokeOnlySessions(db, condition);
  await revokeLeases(db, condition);
  announce(change);
}

function revokeOnlySessions(db: Db, condition: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    UPDATE "Session" s SET ${revokeAssignments}
    WHERE ${condition} AND "state" = 'open'`;
}
