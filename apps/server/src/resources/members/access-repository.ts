import { limits } from '@gatehouse/contract';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';

const LISTS = ['connections', 'tokens', 'grants', 'groups', 'applications'] as const;

type ListName = (typeof LISTS)[number];

export interface AccessRow {
  readonly id: string;
  readonly name: string;
  readonly hasSecret: boolean;
}

/** The newest of a list, and how many there are. */
export interface Newest<Row> {
  readonly total: number;
  readonly items: readonly Row[];
}

interface ListedRow extends AccessRow {
  readonly list: ListName;
  readonly total: number;
}

export type AccessLists = Readonly<Record<ListName, Newest<AccessRow>>>;

/** What a member has by name, each as {@link removeMember} deletes or leaves it. */
export async function listAccess(db: Db, userId: string): Promise<AccessLists> {
  const isTheirs = Prisma.sql`"userId" = ${userId}::uuid`;
  const lists: Readonly<Record<ListName, Prisma.Sql>> = {
    connections: Prisma.sql`
      SELECT c."id" AS "orderId", i."id", i."name", false AS "hasSecret"
      FROM "Connection" c JOIN "Integration" i ON i."id" = c."integrationId" WHERE c.${isTheirs}`,
    tokens: Prisma.sql`
      SELECT "id" AS "orderId", "id", "name", false AS "hasSecret" FROM "Token"
      WHERE ${isTheirs} AND ("expiresAt" IS NULL OR "expiresAt" > now())`,
    grants: Prisma.sql`
      SELECT g."id" AS "orderId", g."id", COALESCE(d."name", a."name") AS "name", false AS "hasSecret"
      FROM "Grant" g JOIN "Application" a ON a."id" = g."applicationId"
      LEFT JOIN "DynamicClient" d ON d."id" = g."clientId"
      WHERE g.${isTheirs} AND g."expiresAt" > now()`,
    groups: Prisma.sql`
      SELECT g."id" AS "orderId", g."id", g."name", false AS "hasSecret"
      FROM "GroupMember" m JOIN "Group" g ON g."id" = m."groupId" WHERE m.${isTheirs}`,
    applications: Prisma.sql`
      SELECT "id" AS "orderId", "id", "name", "secretHash" IS NOT NULL AS "hasSecret"
      FROM "Application" WHERE "ownerUserId" = ${userId}::uuid AND "archivedAt" IS NULL`,
  };
  const rows = await db.$queryRaw<ListedRow[]>`
    SELECT * FROM (${Prisma.join(
      LISTS.map((list) => newestOf(list, lists[list])),
      ' UNION ALL ',
    )}) "all" ORDER BY "orderId" DESC`;
  const listOf = (list: ListName): Newest<AccessRow> => {
    const items = rows.filter((row) => row.list === list);
    return { total: items[0]?.total ?? 0, items };
  };
  return {
    connections: listOf('connections'),
    tokens: listOf('tokens'),
    grants: listOf('grants'),
    groups: listOf('groups'),
    applications: listOf('applications'),
  };
}

function newestOf(list: ListName, rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    SELECT ${list} AS "list", (count(*) OVER ())::int AS "total", r.* FROM (${rows}) r
    ORDER BY "orderId" DESC LIMIT ${limits.namedRows})`;
}

export interface GrantedAccess {
  readonly grantTokens: number;
  readonly consents: number;
}

/** What `endAccessOfMember` counts beside the grants. */
export async function countGrantedAccess(db: Db, userId: string): Promise<GrantedAccess> {
  const [counts] = await db.$queryRaw<[GrantedAccess]>`
    SELECT (SELECT count(*) FROM "OauthToken" WHERE "kind" <> 'code' AND "consumedAt" IS NULL
        AND "expiresAt" > now() AND "grantId" = ANY(ARRAY(
          SELECT "id" FROM "Grant" WHERE "userId" = ${userId}::uuid)))::int AS "grantTokens",
      (SELECT count(*) FROM "Consent" WHERE "userId" = ${userId}::uuid)::int AS "consents"`;
  return counts;
}

/** A policy with rules that name someone. */
export interface NamingRules {
  readonly integrationId: string;
  readonly integrationName: string;
  /** Of an attachment. */
  readonly applicationId: string | null;
  readonly applicationName: string | null;
}

/** The policies with rules that name a member, those of integrations first. */
export async function listNamingRules(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<Newest<NamingRules>> {
  // The expression of the indexes.
  const isNamed = Prisma.sql`jsonb_path_query_array(p."rules", '$.**.userIds[*]')
    @> jsonb_build_array(${userId}::text) AND p."organizationId" = ${organizationId}::uuid`;
  const items = await db.$queryRaw<(NamingRules & { readonly total: number })[]>`
    SELECT (count(*) OVER ())::int AS "total", n.* FROM (
      SELECT i."id" AS "integrationId", i."name" AS "integrationName",
        NULL::uuid AS "applicationId", NULL::text AS "applicationName"
      FROM "IntegrationPolicy" p JOIN "Integration" i ON i."id" = p."integrationId" WHERE ${isNamed}
      UNION ALL
      SELECT i."id", i."name", a."id", a."name"
      FROM "AttachmentPolicy" p JOIN "Attachment" t ON t."id" = p."attachmentId"
      JOIN "Integration" i ON i."id" = t."integrationId"
      JOIN "Application" a ON a."id" = t."applicationId" WHERE ${isNamed}
    ) n ORDER BY "applicationId" DESC NULLS FIRST, "integrationId" DESC LIMIT ${limits.namedRows}`;
  return { total: items[0]?.total ?? 0, items };
}
