import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database/store.ts';

/*
 * Ends open sessions inside the transaction that takes away what they rest on. Each announces the
 * change under which every node files those sessions: they refuse the next request and cut streams.
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

/** @returns false when the application has no such session; one that has ended already stays as it is. */
export async function revokeSession(
  tx: Tx,
  session: { readonly id: string; readonly applicationId: string },
): Promise<boolean> {
  const { id, applicationId } = session;
  const revoked = await revoke(
    tx.db,
    Prisma.sql`"id" = ${id}::uuid AND "applicationId" = ${applicationId}::uuid`,
  );
  if (revoked > 0) {
    tx.announce({ kind: 'session', id });
    return true;
  }
  return (await tx.db.session.count({ where: { id, applicationId } })) > 0;
}

function revoke(db: Db, which: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    UPDATE "Session" SET "state" = 'revoked', "endedAt" = now() WHERE ${which} AND "state" = 'open'`;
}
