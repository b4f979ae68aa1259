import type { Db } from '../../platform/database/store.ts';
import { errors } from '../oidc-provider.ts';

/** The member, grant and client that a code or token depends on. */
export interface TokenBasis {
  /** The person who agreed; undefined for a client that acts for itself. */
  readonly userId: string | undefined;
  readonly grantId: string | undefined;
  readonly clientId: string;
  /** Base64; undefined if the client did not prove itself by a secret. */
  readonly secretHash: string | undefined;
}

/** A live application, and when the grant ends. */
export interface LockedBasis {
  readonly applicationId: string;
  readonly organizationId: string;
  /** Undefined for a client that acts for itself. */
  readonly grantExpiresAt: Date | undefined;
}

/**
 * Locks the basis of a code or token in the order member, application, grant. A concurrent archive,
 * removal, rotation or end of the grant either comes first and is seen here, or comes after and finds the
 * token.
 *
 * @throws InvalidGrant when something of it is gone
 * @throws InvalidClientAuth when the secret has been rotated since the client proved itself by it
 */
export async function lockBasis(db: Db, basis: TokenBasis): Promise<LockedBasis> {
  const { userId, grantId, clientId, secretHash } = basis;
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

/** An application's settings, locked until the transaction ends. */
export interface LockedApplication {
  readonly organizationId: string;
  readonly secretHash: string | null;
  readonly allowDynamicClients: boolean;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly allowedResources: readonly string[];
}

export async function lockApplication(
  db: Db,
  id: string,
  secretHash: string | undefined,
): Promise<LockedApplication> {
  const [application] = await db.$queryRaw<LockedApplication[]>`
    SELECT "organizationId", encode("secretHash", 'base64') AS "secretHash", "allowDynamicClients",
      "redirectUris", "scopes", "allowedResources"
    FROM "Application"
    WHERE "id" = ${id}::uuid AND "archivedAt" IS NULL FOR KEY SHARE`;
  if (application === undefined) throw gone('application');
  if (secretHash !== undefined && application.secretHash !== secretHash) {
    throw new errors.InvalidClientAuth('secret rotated');
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
