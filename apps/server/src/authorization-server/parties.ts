import { errors } from 'oidc-provider';
import { Prisma } from '../generated/prisma/client.ts';
import type { OauthTokenKind } from '../generated/prisma/enums.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { revokeSessionsOfToken } from '../sessions/revocation.ts';

/**
 * Seconds in which a code or refresh token that comes again is taken for a retry: two requests of one
 * client in parallel, or one whose response was lost. Later it has been stolen (RFC 9700 section 4.14.2).
 */
export const RETRY_WINDOW: Readonly<Record<OauthTokenKind, number>> = {
  code: 3,
  refresh: 10,
  access: 0,
};

/** Whether the row `t` was used so long ago that using it again is no retry, by the time of the database. */
export const isReused = Prisma.sql`
  t."consumedAt" < clock_timestamp() - (
    CASE t."kind" WHEN 'code' THEN ${RETRY_WINDOW.code} ELSE ${RETRY_WINDOW.refresh} END
  )::float8 * interval '1 second'`;

/** Ends a grant, with its tokens and the sessions that are its activity. Does nothing if it is over. */
export async function endGrant(store: Store, grantId: string): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.db.grant.deleteMany({ where: { id: grantId } });
    await revokeSessionsOfToken(tx, grantId);
  });
}

/** Rows that a write of codes or tokens depends on: it finds them live and locks them, in this order. */
export interface Parties {
  readonly userId: string | undefined;
  readonly applicationId: string;
  /** Base64; undefined if the client did not prove itself by a secret. */
  readonly secretHash: string | undefined;
  readonly grantId: string | undefined;
  readonly clientId: string;
}

/**
 * Locks what a code or token rests on, so that an archive, a removal, a rotation or the end of the grant
 * at the same moment either comes first and is seen, or comes after and finds the token.
 *
 * @returns when the grant expires; undefined for a client that acts for itself
 * @throws InvalidGrant when something of it is gone
 * @throws InvalidClient when the secret has been rotated since the client proved itself by it
 */
export async function lockParties(db: Db, parties: Parties): Promise<Date | undefined> {
  const { userId, applicationId, secretHash, grantId, clientId } = parties;
  if (userId !== undefined) {
    const members = await db.$queryRaw<unknown[]>`
      SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR SHARE`;
    if (members.length === 0) throw gone('member');
  }
  const [application] = await db.$queryRaw<{ readonly secretHash: string | null }[]>`
    SELECT encode("secretHash", 'base64') AS "secretHash" FROM "Application"
    WHERE "id" = ${applicationId}::uuid AND "archivedAt" IS NULL FOR KEY SHARE`;
  if (application === undefined) throw gone('application');
  if (secretHash !== undefined && application.secretHash !== secretHash) {
    throw new errors.InvalidClient('client authentication failed', 'secret rotated');
  }
  if (grantId === undefined) return undefined;
  const [grant] = await db.$queryRaw<{ readonly expiresAt: Date }[]>`
    SELECT "expiresAt" FROM "Grant"
    WHERE "id" = ${grantId}::uuid AND "clientId" = ${clientId} AND "expiresAt" > clock_timestamp()
    FOR UPDATE`;
  if (grant === undefined) throw gone('grant');
  return grant.expiresAt;
}

function gone(what: string): Error {
  return new errors.InvalidGrant(`${what} is gone`);
}
