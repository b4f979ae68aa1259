import { Prisma } from '../../generated/prisma/client.ts';
import type { OauthTokenKind } from '../../generated/prisma/enums.ts';
import type { Db } from '../../platform/database/store.ts';
import { errors } from '../oidc-provider.ts';

/**
 * Seconds in which a code or refresh token that comes again is taken for a retry: two requests of one
 * client in parallel, or one whose response was lost. Later it has been stolen (RFC 9700 section 4.14.2).
 */
const RETRY_WINDOW: Readonly<Record<Exclude<OauthTokenKind, 'access'>, number>> = {
  code: 3,
  refresh: 10,
};

/**
 * Whether the row `t` had been used for so long when a request arrived that the request is no retry.
 *
 * @param age milliseconds since its arrival: a busy server makes no thief of a client
 */
export function isReused(age: number): Prisma.Sql {
  return Prisma.sql`
    t."consumedAt" < clock_timestamp() - ${age}::float8 * interval '1 millisecond' - (
      CASE t."kind" WHEN 'code' THEN ${RETRY_WINDOW.code} ELSE ${RETRY_WINDOW.refresh} END
    )::float8 * interval '1 second'`;
}

/** What a code or token rests on. */
export interface Parties {
  /** Who agreed; undefined for a client that acts for itself. */
  readonly userId: string | undefined;
  readonly grantId: string | undefined;
  readonly clientId: string;
  /** Base64; undefined if the client did not prove itself by a secret. */
  readonly secretHash: string | undefined;
}

/** A live application, and when the grant ends. */
export interface LockedParties {
  readonly applicationId: string;
  readonly organizationId: string;
  /** Undefined for a client that acts for itself. */
  readonly grantExpiresAt: Date | undefined;
}

/**
 * Locks what a code or token rests on, in the order member, application, grant. An archive, a removal, a
 * rotation or the end of the grant at the same moment either comes first and is seen here, or comes after
 * and finds the token.
 *
 * @throws InvalidGrant when something of it is gone
 * @throws InvalidClient when the secret has been rotated since the client proved itself by it
 */
export async function lockParties(db: Db, parties: Parties): Promise<LockedParties> {
  const { userId, grantId, clientId, secretHash } = parties;
  if (userId !== undefined) await lockMember(db, userId);
  const applicationId = grantId === undefined ? clientId : await applicationOfGrant(db, grantId);
  const { organizationId } = await lockApplication(db, applicationId, secretHash);
  const grantExpiresAt = grantId && (await lockGrant(db, grantId, clientId));
  return { applicationId, organizationId, grantExpiresAt: grantExpiresAt || undefined };
}

export async function lockMember(db: Db, userId: string): Promise<void> {
  const members = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR SHARE`;
  if (members.length === 0) throw gone('member');
}

async function applicationOfGrant(db: Db, id: string): Promise<string> {
  const grant = await db.grant.findUnique({ where: { id }, select: { applicationId: true } });
  if (grant === null) throw gone('grant');
  return grant.applicationId;
}

interface ApplicationRow {
  readonly organizationId: string;
  readonly secretHash: string | null;
  readonly allowDynamicClients: boolean;
}

export async function lockApplication(
  db: Db,
  id: string,
  secretHash: string | undefined,
): Promise<ApplicationRow> {
  const [application] = await db.$queryRaw<ApplicationRow[]>`
    SELECT "organizationId", encode("secretHash", 'base64') AS "secretHash", "allowDynamicClients"
    FROM "Application"
    WHERE "id" = ${id}::uuid AND "archivedAt" IS NULL FOR KEY SHARE`;
  if (application === undefined) throw gone('application');
  if (secretHash !== undefined && application.secretHash !== secretHash) {
    throw new errors.InvalidClient('client authentication failed', 'secret rotated');
  }
  return application;
}

async function lockGrant(db: Db, id: string, clientId: string): Promise<Date> {
  const [grant] = await db.$queryRaw<{ readonly expiresAt: Date }[]>`
    SELECT "expiresAt" FROM "Grant"
    WHERE "id" = ${id}::uuid AND "clientId" = ${clientId} AND "expiresAt" > clock_timestamp()
    FOR UPDATE`;
  if (grant === undefined) throw gone('grant');
  return grant.expiresAt;
}

function gone(what: string): Error {
  return new errors.InvalidGrant(`${what} is gone`);
}
