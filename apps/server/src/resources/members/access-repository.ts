import { limits } from '@gatehouse/contract';
import { Prisma } from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
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

/** Where a list is: rows of a table by the id of the member, with the name of each. */
interface Source {
  readonly table: Prisma.Sql;
  readonly owner: Prisma.Sql;
  /** What orders them; the newest has the largest. */
  readonly id: Prisma.Sql;
  /** Of the rows that count. */
  readonly condition?: Prisma.Sql;
  /** The id and the name that is shown of a row `r`, and whether it is an application with a secret. */
  readonly shown: Prisma.Sql;
  readonly joins?: Prisma.Sql;
}

const userId = Prisma.sql`"userId"`;
const id = Prisma.sql`"id"`;
const ownName = Prisma.sql`r."id", r."name", false AS "hasSecret"`;

const sources: Readonly<Record<ListName, Source>> = {
  connections: {
    ...{ table: Prisma.sql`"Connection"`, owner: userId, id },
    shown: Prisma.sql`i."id", i."name", false AS "hasSecret"`,
    joins: Prisma.sql`JOIN "Integration" i ON i."id" = r."integrationId"`,
  },
  tokens: {
    ...{ table: Prisma.sql`"Token"`, owner: userId, id },
    condition: Prisma.sql`AND ("expiresAt" IS NULL OR "expiresAt" > now())`,
    shown: ownName,
  },
  grants: {
    ...{ table: Prisma.sql`"Grant"`, owner: userId, id },
    condition: Prisma.sql`AND "expiresAt" > now()`,
    shown: Prisma.sql`r."id", COALESCE(d."name", a."name") AS "name", false AS "hasSecret"`,
    joins: Prisma.sql`JOIN "Application" a ON a."id" = r."applicationId"
      LEFT JOIN "DynamicClient" d ON d."id" = r."clientId"`,
  },
  groups: {
    ...{ table: Prisma.sql`"GroupMember"`, owner: userId, id: Prisma.sql`"groupId"` },
    shown: Prisma.sql`g."id", g."name", false AS "hasSecret"`,
    joins: Prisma.sql`JOIN "Group" g ON g."id" = r."groupId"`,
  },
  applications: {
    ...{ table: Prisma.sql`"Application"`, owner: Prisma.sql`"ownerUserId"`, id },
    condition: Prisma.sql`AND "archivedAt" IS NULL`,
    shown: Prisma.sql`r."id", r."name", r."secretHash" IS NOT NULL AS "hasSecret"`,
  },
};

/** What a member has by name, each as the removal of a member deletes or leaves it. */
export async function listAccess(db: Db, memberId: string): Promise<AccessLists> {
  const rows = await db.$queryRaw<ListedRow[]>`
    SELECT * FROM (${Prisma.join(
      LISTS.map((list) => newestOf(list, memberId)),
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

function newestOf(list: ListName, memberId: string): Prisma.Sql {
  const { table, owner, id, condition = Prisma.empty, shown, joins = Prisma.empty } = sources[list];
  return Prisma.sql`(
    SELECT ${list} AS "list", r.${id} AS "orderId", ${shown},
      (SELECT count(*) FROM ${table} WHERE ${owner} = ${memberId}::uuid ${condition})::int AS "total"
    FROM (
      SELECT * FROM ${table}
      WHERE ${owner} = ANY(${oneRangeOf(memberId).in}::uuid[]) ${condition}
      ORDER BY ${owner}, ${id} DESC LIMIT ${limits.namedRows}
    ) r ${joins})`;
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
