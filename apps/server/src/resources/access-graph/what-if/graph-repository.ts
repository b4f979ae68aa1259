import { Prisma } from '../../../generated/prisma/client.ts';
import { GROUP_IDS_OF_MEMBER } from '../../../identity/group-ids.ts';
import type { Db } from '../../../platform/database/store.ts';
import type { PolicyPerson } from '../../../policy/people-rules.ts';
import { type PolicyRow, policyColumnsAs, policyJoins } from '../../../policy/rules.ts';
import type { Part } from '../repository.ts';
import type { StaticFacts } from '../static-reasons.ts';

/** The attachments that changes of applications and integrations concern. */
export interface Scope {
  readonly applicationIds: ReadonlySet<string>;
  readonly integrationIds: ReadonlySet<string>;
}

/** The ids of the newest attachments, of the whole organization without a scope. */
export function listAttachmentIds(
  db: Db,
  organizationId: string,
  scope: Scope | undefined,
  { before, take }: Part,
): Promise<{ id: string }[]> {
  const isInScope = scope && {
    OR: [
      { applicationId: { in: [...scope.applicationIds] } },
      { integrationId: { in: [...scope.integrationIds] } },
    ],
  };
  return db.attachment.findMany({
    where: {
      organizationId,
      ...isInScope,
      ...(before === undefined ? {} : { id: { lt: before } }),
    },
    orderBy: { id: 'desc' },
    take,
    select: { id: true },
  });
}

/** Rules about people and tools. */
export const rulesAboutCalls = columnsWithout(['prompts', 'resources']);

/** Rules about people alone. */
export const rulesAboutPeople = columnsWithout(['tools', 'prompts', 'resources']);

function columnsWithout(fields: string[]): Prisma.Sql {
  // OFFSET keeps the planner from reading long rules once for each mention.
  return policyColumnsAs(
    (rules) => Prisma.sql`
      (SELECT CASE WHEN jsonb_typeof(r."rules") <> 'object' THEN r."rules"
        ELSE r."rules" - ${fields}::text[] END
        FROM (SELECT ${rules} AS "rules" OFFSET 0) r WHERE r."rules" IS NOT NULL)`,
  );
}

/** An attachment with everything that decides who may use it. */
export interface EdgeRow extends PolicyRow, StaticFacts {
  readonly applicationId: string;
  readonly integrationId: string;
}

export function listEdgeRows(
  db: Db,
  organizationId: string,
  ids: readonly string[],
  columns: Prisma.Sql,
): Promise<EdgeRow[]> {
  return db.$queryRaw<EdgeRow[]>`
    SELECT a."applicationId", a."integrationId", ${columns},
      jsonb_build_object('clientType', o."clientType", 'scopes', o."scopes",
        'archivedAt', o."archivedAt") AS "application",
      jsonb_build_object('category', i."category", 'authMode', i."authMode",
        'validationStatus', i."validationStatus", 'archivedAt', i."archivedAt") AS "integration",
      jsonb_build_object('url', i."url", 'isOauthConfigured', i."oauth" IS NOT NULL,
        'serverTokenDestination', s."destination") AS "credential"
    FROM "Attachment" a
    JOIN "Application" o ON o."id" = a."applicationId"
    JOIN "Integration" i ON i."id" = a."integrationId"
    LEFT JOIN "IntegrationSecret" s ON s."integrationId" = i."id" AND s."kind" = 'server_token'
    ${policyJoins}
    WHERE a."id" = ANY(${[...ids]}::uuid[]) AND a."organizationId" = ${organizationId}::uuid
    ORDER BY a."id" DESC`;
}

/** The newest members, or those of some ids. */
export async function listPeople(
  db: Db,
  organizationId: string,
  ids: readonly string[] | undefined,
  most: number,
): Promise<PolicyPerson[]> {
  const isMeant = ids === undefined ? Prisma.empty : Prisma.sql`AND u."id" = ANY(${ids}::uuid[])`;
  const rows = await db.$queryRaw<Omit<PolicyPerson, 'kind'>[]>`
    SELECT u."id" AS "userId", u."role"::text AS "role", ${GROUP_IDS_OF_MEMBER} AS "groupIds"
    FROM "User" u
    WHERE u."organizationId" = ${organizationId}::uuid ${isMeant}
    ORDER BY u."id" DESC LIMIT ${most}`;
  return rows.map((row) => ({ kind: 'person', ...row }));
}
