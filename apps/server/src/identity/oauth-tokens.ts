import { type MemberRole, secretPrefixes, type TokenScope } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import type { Actor, Authorization } from './actor.ts';
import type { FoundActor } from './authenticator.ts';
import { invalidToken } from './bearer.ts';
import { parseResource } from './resource.ts';

/** Whether a bearer token looks like an access token of our authorization server. */
export function isOauthToken(token: string): boolean {
  return token.startsWith(secretPrefixes.accessToken);
}

interface GrantRow {
  readonly grantId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly applicationId: string;
  readonly integrationIds: string[];
  readonly grantExpiresAt: Date;
}

interface AccessTokenRow extends GrantRow {
  readonly audience: string;
  readonly scopes: string[];
  readonly expiresAt: Date;
}

const GRANT_COLUMNS = Prisma.sql`
  g."id" AS "grantId", g."organizationId", g."userId", u."role"::text AS "role", g."applicationId",
  g."integrationIds", g."expiresAt" AS "grantExpiresAt"`;

/** A live grant, with its member and application. */
const LIVE_GRANT = Prisma.sql`
  "Grant" g
  JOIN "User" u ON u."id" = g."userId"
  JOIN "Application" p ON p."id" = g."applicationId" AND p."archivedAt" IS NULL`;

const POWERFUL = new Set<string>(['mcp', 'management:read', 'management:write']);

/** Finds the actor of an unexpired OAuth access token by at most two indexed reads. @param publicUrl our origin */
export async function findOauthActor(
  db: Db,
  publicUrl: string,
  hash: Buffer,
): Promise<FoundActor | undefined> {
  const [row] = await db.$queryRaw<AccessTokenRow[]>`
    SELECT ${GRANT_COLUMNS}, t."audience", t."scopes", t."expiresAt"
    FROM ${LIVE_GRANT} JOIN "OauthToken" t ON t."grantId" = g."id"
    WHERE t."hash" = ${hash} AND t."kind" = 'access' AND t."expiresAt" > clock_timestamp()
      AND g."expiresAt" > clock_timestamp()`;
  if (row === undefined) return findApplicationActor(db, publicUrl, hash);
  const audience = parseResource(publicUrl, row.audience);
  if (audience === undefined) return undefined;
  return {
    actor: toActor(row, { audience, scopes: powerful(row.scopes) }),
    usableUntil: row.expiresAt,
  };
}

interface ClientCredentialsRow {
  readonly applicationId: string;
  readonly organizationId: string;
  readonly audience: string;
  readonly scopes: string[];
  readonly expiresAt: Date;
}

/** An application that acts for itself: no person agreed, so there is no grant. */
async function findApplicationActor(
  db: Db,
  publicUrl: string,
  hash: Buffer,
): Promise<FoundActor | undefined> {
  const [row] = await db.$queryRaw<ClientCredentialsRow[]>`
    SELECT p."id" AS "applicationId", p."organizationId", t."audience", t."scopes", t."expiresAt"
    FROM "OauthToken" t
    JOIN "Application" p ON p."id" = t."applicationId" AND p."archivedAt" IS NULL
    WHERE t."hash" = ${hash} AND t."kind" = 'access' AND t."grantId" IS NULL
      AND t."expiresAt" > clock_timestamp()`;
  const audience = row && parseResource(publicUrl, row.audience);
  if (row === undefined || audience === undefined) return undefined;
  const { applicationId, organizationId } = row;
  const actor: Actor = {
    organizationId,
    userId: applicationId,
    role: 'member',
    tokenId: applicationId,
    tokenKind: 'oauth',
    tokenExpiresAt: null,
    scopes: powerful(row.scopes),
    authorization: { applicationId, audience, integrationIds: [], isOwn: true },
  };
  return { actor, usableUntil: row.expiresAt };
}

function powerful(scopes: readonly string[]): TokenScope[] {
  return scopes.filter((scope): scope is TokenScope => POWERFUL.has(scope));
}

/**
 * Reads the grant of an actor again, whose access token may have expired meanwhile.
 *
 * @param lock keeps the member from being changed, and the grant from being ended, until the transaction
 *   is over.
 * @throws ProblemError `unauthenticated` when the grant, the member or the application is gone
 */
export async function requireGrantedActor(
  db: Db,
  actor: Actor,
  authorization: Authorization,
  { lock }: { readonly lock: boolean },
): Promise<Actor> {
  if (authorization.isOwn) return requireOwnActor(db, actor);
  const [row] = await db.$queryRaw<GrantRow[]>`
    SELECT ${GRANT_COLUMNS} FROM ${LIVE_GRANT}
    WHERE g."id" = ${actor.tokenId}::uuid AND g."expiresAt" > clock_timestamp()
    ${lock ? Prisma.sql`FOR SHARE OF u FOR KEY SHARE OF p, g` : Prisma.empty}`;
  if (row === undefined) throw invalidToken();
  return toActor(row, { audience: authorization.audience, scopes: actor.scopes });
}

/** Revoking an application's access ends its sessions, which its open calls are checked by as well. */
async function requireOwnActor(db: Db, actor: Actor): Promise<Actor> {
  const application = await db.application.findFirst({
    where: { id: actor.tokenId, archivedAt: null },
    select: { id: true },
  });
  if (application === null) throw invalidToken();
  return actor;
}

function toActor(
  row: GrantRow,
  { audience, scopes }: { audience: Authorization['audience']; scopes: readonly TokenScope[] },
): Actor {
  const { organizationId, userId, role, grantId, grantExpiresAt, applicationId, integrationIds } =
    row;
  return {
    organizationId,
    userId,
    role,
    tokenId: grantId,
    tokenKind: 'oauth',
    tokenExpiresAt: grantExpiresAt,
    scopes,
    authorization: { applicationId, audience, integrationIds, isOwn: false },
  };
}
