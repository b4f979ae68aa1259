import { Prisma } from '../../../generated/prisma/client.ts';
import { GROUP_IDS_OF_MEMBER } from '../../../identity/group-ids.ts';
import type { Db } from '../../../platform/database/store.ts';
import { type PolicyRow, policyColumnsAs, policyJoins } from '../../../policy/rules.ts';
import type { Part } from '../repository.ts';
import { pairRows } from './named-rows.ts';
import type { Pair } from './pair.ts';

/** Attachments of these applications or integrations. */
export interface PairFilter {
  readonly applicationIds: readonly string[];
  readonly integrationIds: readonly string[];
}

/** The newest attachments, all of the organization without a filter. */
export function listPairs(
  db: Db,
  organizationId: string,
  filter: PairFilter | undefined,
  { before, take }: Part,
): Promise<(Pair & { readonly id: string })[]> {
  const of = filter && {
    OR: [
      { applicationId: { in: [...filter.applicationIds] } },
      { integrationId: { in: [...filter.integrationIds] } },
    ],
  };
  return db.attachment.findMany({
    where: { organizationId, ...of, ...(before === undefined ? {} : { id: { lt: before } }) },
    orderBy: { id: 'desc' },
    take,
    select: { id: true, applicationId: true, integrationId: true },
  });
}

/** Rules about people and tools. */
export const rulesAboutCalls = columnsWithout(['prompts', 'resources']);

/** Rules about people alone. */
export const rulesAboutPeople = columnsWithout(['tools', 'prompts', 'resources']);

function columnsWithout(fields: string[]): Prisma.Sql {
  return policyColumnsAs(
    (rules) => Prisma.sql`
      (SELECT CASE WHEN jsonb_typeof(r."rules") <> 'object' THEN r."rules"
        ELSE r."rules" - ${fields}::text[] END
        FROM (SELECT ${rules} AS "rules" OFFSET 0) r WHERE r."rules" IS NOT NULL)`,
  );
}

/** The rules that bind pairs, or would if they were attached. */
export function listRules(
  db: Db,
  organizationId: string,
  pairs: readonly Pair[],
  columns: Prisma.Sql,
): Promise<(Pair & PolicyRow)[]> {
  // OFFSET keeps the planner from reading all attachments of the organization.
  return db.$queryRaw<(Pair & PolicyRow)[]>`
    SELECT a."applicationId", a."integrationId", ${columns}
    FROM (
      SELECT p."applicationId", p."integrationId", t."id" FROM ${pairRows(pairs)}
      LEFT JOIN LATERAL (
        SELECT "id" FROM "Attachment" WHERE "applicationId" = p."applicationId"
          AND "integrationId" = p."integrationId" AND "organizationId" = ${organizationId}::uuid
        OFFSET 0) t ON true
    ) a ${policyJoins}`;
}

/** Members with those of some groups that they are in. */
export function listPeople(
  db: Db,
  organizationId: string,
  groupIds: readonly string[],
  { before, take }: Part,
): Promise<{ id: string; role: string; groupIds: string[] }[]> {
  const older = before === undefined ? Prisma.empty : Prisma.sql`AND u."id" < ${before}::uuid`;
  return db.$queryRaw<{ id: string; role: string; groupIds: string[] }[]>`
    SELECT p."id", p."role"::text AS "role", ARRAY(
      SELECT g FROM unnest(p."groupIds") g WHERE g = ANY(${[...groupIds]}::text[])) AS "groupIds"
    FROM (
      SELECT u."id", u."role", ${GROUP_IDS_OF_MEMBER} AS "groupIds" FROM "User" u
      WHERE u."organizationId" = ${organizationId}::uuid ${older}
      ORDER BY u."id" DESC LIMIT ${take}) p`;
}
