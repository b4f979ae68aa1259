import type {
  Application,
  Attachment,
  Integration,
  Prisma,
} from '../../generated/prisma/client.ts';
import { GROUP_IDS_OF_MEMBER } from '../../identity/group-ids.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import { type PolicyPerson, peopleColumnsFor } from '../../policy/people-rules.ts';
import { type PolicyRow, policyJoins } from '../../policy/rules.ts';

export type ApplicationNode = Pick<
  Application,
  'id' | 'name' | 'ownerUserId' | 'clientType' | 'scopes' | 'archivedAt'
>;

export type IntegrationNode = Pick<
  Integration,
  'id' | 'name' | 'category' | 'authMode' | 'validationStatus' | 'archivedAt'
>;

export type Edge = Pick<Attachment, 'id' | 'applicationId' | 'integrationId' | 'createdAt'>;

/** A part of a list: the newest rows, or those before an id. */
export interface Part {
  readonly before: string | undefined;
  readonly take: number;
}

/** What a graph is limited to. */
export interface GraphFilter {
  readonly applicationId: string | undefined;
  readonly integrationId: string | undefined;
}

/** The facts about an integration that a policy needs in addition to its node. */
export interface CredentialFacts {
  readonly id: string;
  readonly url: string;
  /** The same as the contract's `isOauthConfigured`. */
  readonly isOauthConfigured: boolean;
  /** Where the stored server token may be sent; null without one. */
  readonly serverTokenDestination: string | null;
}

/** The rules of an attachment, by its id. */
export interface PeopleRules extends PolicyRow {
  readonly id: string;
}

const applicationColumns = {
  id: true,
  name: true,
  ownerUserId: true,
  clientType: true,
  scopes: true,
  archivedAt: true,
} satisfies Prisma.ApplicationSelect;

const integrationColumns = {
  id: true,
  name: true,
  category: true,
  authMode: true,
  validationStatus: true,
  archivedAt: true,
} satisfies Prisma.IntegrationSelect;

/** The newest attachments of applications. */
export function listEdges(
  db: Db,
  organizationId: string,
  applicationIds: readonly string[],
  { integrationId, ...part }: Part & Pick<GraphFilter, 'integrationId'>,
): Promise<Edge[]> {
  return db.attachment.findMany({
    where: {
      organizationId,
      applicationId: { in: [...applicationIds] },
      ...(integrationId === undefined ? {} : { integrationId }),
      ...olderThan(part),
    },
    orderBy: { id: 'desc' },
    take: part.take,
    select: { id: true, applicationId: true, integrationId: true, createdAt: true },
  });
}

export function findApplicationNodes(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<ApplicationNode[]> {
  return db.application.findMany({
    where: { organizationId, id: { in: [...ids] } },
    select: applicationColumns,
  });
}

/** The newest integrations that are not archived, or one of them. */
export function listIntegrationNodes(
  db: Db,
  organizationId: string,
  { integrationId, ...part }: Part & Pick<GraphFilter, 'integrationId'>,
): Promise<IntegrationNode[]> {
  const only = integrationId === undefined ? {} : { AND: { id: integrationId } };
  return db.integration.findMany({
    where: {
      organizationId: oneRangeOf(organizationId),
      archivedAt: null,
      ...olderThan(part),
      ...only,
    },
    orderBy: [{ organizationId: 'asc' }, { id: 'desc' }],
    take: part.take,
    select: integrationColumns,
  });
}

export function findIntegrationNodes(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<IntegrationNode[]> {
  return db.integration.findMany({
    where: { organizationId, id: { in: [...ids] } },
    select: integrationColumns,
  });
}

export function listCredentialFacts(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<CredentialFacts[]> {
  return db.$queryRaw<CredentialFacts[]>`
    SELECT i."id", i."url", i."oauth" IS NOT NULL AS "isOauthConfigured",
      s."destination" AS "serverTokenDestination"
    FROM "Integration" i
    LEFT JOIN "IntegrationSecret" s ON s."integrationId" = i."id" AND s."kind" = 'server_token'
    WHERE i."id" = ANY(${[...ids]}::uuid[]) AND i."organizationId" = ${organizationId}::uuid`;
}

/** The rules of attachments that matter to one person. What has no rules is left out. */
export function listPeopleRules(
  db: Db,
  organizationId: string,
  ids: readonly string[],
  person: PolicyPerson,
): Promise<PeopleRules[]> {
  return db.$queryRaw<PeopleRules[]>`
    SELECT a."id", ${peopleColumnsFor(person)} FROM "Attachment" a ${policyJoins}
    WHERE a."id" = ANY(${[...ids]}::uuid[]) AND a."organizationId" = ${organizationId}::uuid
      AND (ip."integrationId" IS NOT NULL OR ap."attachmentId" IS NOT NULL)`;
}

/** A member as rules about people see them. */
export async function findPerson(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<PolicyPerson | undefined> {
  const [row] = await db.$queryRaw<{ role: string; groupIds: string[] }[]>`
    SELECT u."role"::text AS "role", ${GROUP_IDS_OF_MEMBER} AS "groupIds" FROM "User" u
    WHERE u."id" = ${userId}::uuid AND u."organizationId" = ${organizationId}::uuid`;
  return row && { kind: 'person', userId, ...row };
}

export async function hasGroup(db: Db, organizationId: string, id: string): Promise<boolean> {
  const found = await db.group.findFirst({ where: { id, organizationId }, select: { id: true } });
  return found !== null;
}

function olderThan({ before }: Part): { readonly id?: { readonly lt: string } } {
  return before === undefined ? {} : { id: { lt: before } };
}
