import { type MemberRole, secretPrefixes } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import type { FoundCaller } from './authenticator.ts';
import { invalidToken } from './bearer.ts';
import type {
  AccessToken,
  AgreedGrant,
  ApplicationCaller,
  PersonCaller,
  PowerfulScope,
} from './caller.ts';
import { GROUP_IDS_OF_MEMBER } from './group-ids.ts';
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
  readonly groupIds: string[];
  readonly applicationId: string;
  readonly integrationIds: string[];
  readonly browserSessionId: string | null;
  readonly grantExpiresAt: Date;
}

interface AccessTokenRow extends GrantRow {
  readonly tokenId: string;
  readonly audience: string;
  readonly scopes: string[];
  readonly expiresAt: Date;
}

const GRANT_COLUMNS = Prisma.sql`
  g."id" AS "grantId", g."organizationId", g."userId", u."role"::text AS "role", ${GROUP_IDS_OF_MEMBER} AS "groupIds", g."applicationId",
  g."integrationIds", g."browserSessionId", g."expiresAt" AS "grantExpiresAt"`;

/** A live grant, with its member and application. */
const LIVE_GRANT = Prisma.sql`
  "Grant" g
  JOIN "User" u ON u."id" = g."userId"
  JOIN "Application" p ON p."id" = g."applicationId" AND p."archivedAt" IS NULL`;

const POWERFUL = new Set<string>(['mcp', 'credentials', 'management:read', 'management:write']);

/** Finds the caller of an unexpired OAuth access token by at most two indexed reads. @param publicUrl our origin */
export async function findOauthCaller(
  db: Db,
  publicUrl: string,
  hash: Buffer,
): Promise<FoundCaller | undefined> {
  const [row] = await db.$queryRaw<AccessTokenRow[]>`
    SELECT ${GRANT_COLUMNS}, t."id" AS "tokenId", t."audience", t."scopes", t."expiresAt"
    FROM ${LIVE_GRANT} JOIN "OauthToken" t ON t."grantId" = g."id"
    WHERE t."hash" = ${hash} AND t."kind" = 'access' AND t."expiresAt" > clock_timestamp()
      AND g."expiresAt" > clock_timestamp()`;
  if (row === undefined) return findApplicationCaller(db, publicUrl, hash);
  const audience = parseResource(publicUrl, row.audience);
  if (audience === undefined) return undefined;
  return {
    caller: toCaller(row, { audience, scopes: powerful(row.scopes) }, accessTokenOf(row)),
    usableUntil: row.expiresAt,
  };
}

interface ClientCredentialsRow {
  readonly tokenId: string;
  readonly applicationId: string;
  readonly organizationId: string;
  readonly audience: string;
  readonly scopes: string[];
  readonly expiresAt: Date;
}

/** An application that acts for itself: no person agreed, so there is no grant. */
async function findApplicationCaller(
  db: Db,
  publicUrl: string,
  hash: Buffer,
): Promise<FoundCaller | undefined> {
  const [row] = await db.$queryRaw<ClientCredentialsRow[]>`
    SELECT p."id" AS "applicationId", p."organizationId", t."id" AS "tokenId", t."audience",
      t."scopes", t."expiresAt"
    FROM "OauthToken" t
    JOIN "Application" p ON p."id" = t."applicationId" AND p."archivedAt" IS NULL
    WHERE t."hash" = ${hash} AND t."kind" = 'access' AND t."grantId" IS NULL
      AND t."expiresAt" > clock_timestamp()`;
  const audience = row && parseResource(publicUrl, row.audience);
  if (row === undefined || audience === undefined) return undefined;
  const { applicationId, organizationId } = row;
  const caller: ApplicationCaller = {
    kind: 'application',
    organizationId,
    applicationId,
    via: { kind: 'client_credentials' },
    accessToken: accessTokenOf(row),
    scopes: powerful(row.scopes),
    expiresAt: null,
    audience,
  };
  return { caller, usableUntil: row.expiresAt };
}

function accessTokenOf(row: { readonly tokenId: string; readonly expiresAt: Date }): AccessToken {
  return { id: row.tokenId, expiresAt: row.expiresAt };
}

/** Before its expiry, only its client deletes an access token (RFC 7009), or what ends it ends its grant too. */
async function requireUnrevoked(db: Db, { id, expiresAt }: AccessToken): Promise<void> {
  const revoked = await db.$queryRaw<unknown[]>`
    SELECT 1 WHERE ${expiresAt}::timestamptz > clock_timestamp()
      AND NOT EXISTS (SELECT 1 FROM "OauthToken" WHERE "id" = ${id}::uuid)`;
  if (revoked.length > 0) throw invalidToken();
}

function powerful(scopes: readonly string[]): PowerfulScope[] {
  return scopes.filter((scope): scope is PowerfulScope => POWERFUL.has(scope));
}

/**
 * Reads the grant of a caller again; the access token may have expired since.
 *
 * @param lock keeps the member from being changed, and the grant from being ended, until the
 *   transaction is over.
 * @throws ProblemError `unauthenticated` when the grant, the member or the application is gone, or the
 *   access token has been revoked
 */
export async function requireGrantedCaller(
  db: Db,
  { scopes, audience }: PersonCaller,
  { id, accessToken }: AgreedGrant,
  { lock }: { readonly lock: boolean },
): Promise<PersonCaller> {
  const [row] = await db.$queryRaw<GrantRow[]>`
    SELECT ${GRANT_COLUMNS} FROM ${LIVE_GRANT}
    WHERE g."id" = ${id}::uuid AND g."expiresAt" > clock_timestamp()
    ${lock ? Prisma.sql`FOR SHARE OF u FOR KEY SHARE OF p, g` : Prisma.empty}`;
  if (row === undefined) throw invalidToken();
  // A revocation locks the grant too, and so comes before this statement or after the transaction.
  await requireUnrevoked(db, accessToken);
  return toCaller(row, { audience, scopes }, accessToken);
}

/**
 * Revoking an application's access ends its sessions, which its open calls are checked by as well.
 *
 * @throws ProblemError `unauthenticated` when the application is gone, or the access token has been revoked
 */
export async function requireApplicationCaller(
  db: Db,
  caller: ApplicationCaller,
): Promise<ApplicationCaller> {
  const application = await db.application.findFirst({
    where: { id: caller.applicationId, archivedAt: null },
    select: { id: true },
  });
  if (application === null) throw invalidToken();
  await requireUnrevoked(db, caller.accessToken);
  return caller;
}

function toCaller(
  row: GrantRow,
  allowed: Pick<PersonCaller, 'audience' | 'scopes'>,
  accessToken: AccessToken,
): PersonCaller {
  const { organizationId, userId, role, groupIds, grantId, applicationId } = row;
  const { integrationIds, browserSessionId } = row;
  return {
    kind: 'person',
    organizationId,
    userId,
    role,
    groupIds,
    via: {
      kind: 'grant',
      id: grantId,
      applicationId,
      integrationIds,
      accessToken,
      browserSessionId,
    },
    expiresAt: row.grantExpiresAt,
    ...allowed,
  };
}
