import { Prisma } from '../generated/prisma/client.ts';
import type { Era } from '../mcp/era.ts';
import type { Db, Tx } from '../platform/database/store.ts';
import { interval, isOpen, revokedNow } from './repository.ts';
import type { SessionWindows } from './windows.ts';

/*
 * Ends open sessions inside the transaction that takes away what they rest on. Each announces the
 * change under which every node files those sessions: they refuse the next request and cut streams.
 * Revoking them together bars no token: what takes its right away refuses it, and giving the right
 * back lets it begin again.
 */

export async function revokeSessionsOfApplication(tx: Tx, applicationId: string): Promise<void> {
  await revoke(tx.db, Prisma.sql`"applicationId" = ${applicationId}::uuid`);
  tx.announce({ kind: 'application', id: applicationId });
}

export async function revokeSessionsOfIntegration(tx: Tx, integrationId: string): Promise<void> {
  await revoke(tx.db, Prisma.sql`"integrationId" = ${integrationId}::uuid`);
  tx.announce({ kind: 'integration', id: integrationId });
}

/** @param attachmentIds the detached rows of one application; their sessions never come back. */
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

/** A token's modern sessions are that token's activity; legacy ones belong to the user and stay. */
export async function revokeSessionsOfToken(tx: Tx, tokenId: string): Promise<void> {
  await revoke(tx.db, Prisma.sql`"tokenId" = ${tokenId}::uuid AND "era" = 'modern'`);
  tx.announce({ kind: 'token', id: tokenId });
}

/**
 * Revokes one session. A client without a protocol session would begin the next one by its next
 * call, so its token is refused on that attachment until the session would have expired by itself.
 * A session that has expired unwritten bars nothing.
 *
 * @returns false when the application has no such session; one that has ended already stays as it is.
 */
export async function revokeSession(
  tx: Tx,
  session: { readonly id: string; readonly applicationId: string },
  windows: SessionWindows,
): Promise<boolean> {
  const { id, applicationId } = session;
  const [revoked] = await tx.db.$queryRaw<{ era: Era; tokenId: string }[]>`
    UPDATE "Session" s SET ${revokedNow},
      "refusedUntil" = CASE WHEN s."era" = 'modern' AND (${isOpen(windows)})
        THEN now() + ${interval(windows.modernTtl)} END
    WHERE s."id" = ${id}::uuid AND s."applicationId" = ${applicationId}::uuid AND s."state" = 'open'
    RETURNING s."era"::text AS "era", s."tokenId"`;
  if (revoked === undefined)
    return (await tx.db.session.count({ where: { id, applicationId } })) > 0;
  tx.announce({ kind: 'session', id });
  // What a node knows of a token that has no session there is filed under the token.
  if (revoked.era === 'modern') tx.announce({ kind: 'token', id: revoked.tokenId });
  return true;
}

function revoke(db: Db, which: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    UPDATE "Session" s SET ${revokedNow}
    WHERE ${which} AND "state" = 'open'`;
}
