import type {
  Application,
  Attachment,
  Integration,
  Prisma,
} from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';

export type ApplicationNode = Pick<Application, 'id' | 'name' | 'ownerUserId' | 'archivedAt'>;

export type IntegrationNode = Pick<
  Integration,
  'id' | 'name' | 'category' | 'authMode' | 'validationStatus' | 'archivedAt'
>;

export type Edge = Pick<Attachment, 'applicationId' | 'integrationId' | 'createdAt'>;

/** What a policy needs to know about an integration besides its node. */
export interface CredentialFacts {
  readonly id: string;
  readonly url: string;
  /** Whether an issuer is set. Without one, users cannot connect. */
  readonly isOauthConfigured: boolean;
  /** Where the stored server token may be sent; null without one. */
  readonly serverTokenDestination: string | null;
}

const applicationColumns = {
  id: true,
  name: true,
  ownerUserId: true,
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

/** The newest attachments of an organization, by the index on `(organizationId, id)`. */
export function listEdges(db: Db, organizationId: string, take: number): Promise<Edge[]> {
  return db.attachment.findMany({
    where: { organizationId: oneRangeOf(organizationId) },
    orderBy: [{ organizationId: 'desc' }, { id: 'desc' }],
    take,
    select: { applicationId: true, integrationId: true, createdAt: true },
  });
}

/** The newest applications that are not archived. */
export function listApplicationNodes(
  db: Db,
  organizationId: string,
  take: number,
): Promise<ApplicationNode[]> {
  return db.application.findMany({
    where: { organizationId: oneRangeOf(organizationId), archivedAt: null },
    orderBy: [{ organizationId: 'asc' }, { id: 'desc' }],
    take,
    select: applicationColumns,
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

/** The newest integrations that are not archived. */
export function listIntegrationNodes(
  db: Db,
  organizationId: string,
  take: number,
): Promise<IntegrationNode[]> {
  return db.integration.findMany({
    where: { organizationId: oneRangeOf(organizationId), archivedAt: null },
    orderBy: [{ organizationId: 'asc' }, { id: 'desc' }],
    take,
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
    SELECT i."id", i."url", i."oauth" ->> 'issuer' IS NOT NULL AS "isOauthConfigured",
      s."destination" AS "serverTokenDestination"
    FROM "Integration" i
    LEFT JOIN "IntegrationSecret" s ON s."integrationId" = i."id" AND s."kind" = 'server_token'
    WHERE i."id" = ANY(${[...ids]}::uuid[]) AND i."organizationId" = ${organizationId}::uuid`;
}
