import type { Application } from '../../generated/prisma/client.ts';
import type {
  AuthMode,
  Category,
  ClientType,
  ValidationStatus,
} from '../../generated/prisma/enums.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import type { ApplicationScope } from './policy.ts';

export interface ApplicationOauthColumns {
  readonly clientType: ClientType;
  readonly redirectUris: string[];
  readonly pkceRequired: boolean;
  readonly scopes: string[];
  readonly allowedResources: string[];
}

export interface NewApplication extends ApplicationOauthColumns {
  readonly organizationId: string;
  readonly ownerUserId: string;
  readonly name: string;
  readonly secretHash: Buffer<ArrayBuffer> | null;
}

export type ApplicationChange = Partial<Omit<NewApplication, 'organizationId' | 'ownerUserId'>> & {
  readonly archivedAt?: Date | null;
};

/** An attached integration, as much of it as an application shows. */
export interface AttachedRow {
  readonly applicationId: string;
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  readonly authMode: AuthMode;
  readonly validationStatus: ValidationStatus;
  readonly archivedAt: Date | null;
  readonly attachedAt: Date;
}

export function findApplication(
  db: Db,
  scope: ApplicationScope,
  id: string,
): Promise<Application | null> {
  return db.application.findFirst({ where: { ...scope, id } });
}

/** Locks the row until the transaction ends: changes of one application run one after another. */
export async function lockApplication(
  db: Db,
  scope: ApplicationScope,
  id: string,
): Promise<Application | null> {
  await db.$queryRaw`
    SELECT "id" FROM "Application"
    WHERE "id" = ${id}::uuid AND "organizationId" = ${scope.organizationId}::uuid FOR UPDATE`;
  return findApplication(db, scope, id);
}

/**
 * One page, newest first. An owner belongs to one organization: naming both in the statement makes
 * PostgreSQL expect next to nothing and sort all that the owner has.
 */
export function listApplications(
  db: Db,
  scope: ApplicationScope & { readonly includeArchived: boolean },
  page: { before: string | undefined; take: number },
): Promise<Application[]> {
  const { organizationId, ownerUserId, includeArchived } = scope;
  const isOwn = ownerUserId !== undefined;
  return db.application.findMany({
    where: {
      ...(isOwn
        ? { ownerUserId: oneRangeOf(ownerUserId) }
        : { organizationId: oneRangeOf(organizationId) }),
      ...(includeArchived ? {} : { archivedAt: null }),
      ...(page.before ? { id: { lt: page.before } } : {}),
    },
    orderBy: [isOwn ? { ownerUserId: 'asc' } : { organizationId: 'asc' }, { id: 'desc' }],
    take: page.take,
  });
}

export function insertApplication(db: Db, application: NewApplication): Promise<Application> {
  const { id, createdAt } = createId();
  return db.application.create({ data: { id, createdAt, updatedAt: createdAt, ...application } });
}

/** Writes a change of the configuration; the version, and with it the ETag, moves on. */
export function updateApplication(
  db: Db,
  id: string,
  change: ApplicationChange,
): Promise<Application> {
  return db.application.update({
    where: { id },
    data: { ...change, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/** What is attached to several applications, per application in the order of attaching. */
export function listAttachedIntegrations(
  db: Db,
  organizationId: string,
  applicationIds: readonly string[],
): Promise<AttachedRow[]> {
  return db.$queryRaw<AttachedRow[]>`
    SELECT a."applicationId", i."id", i."name", i."category"::text AS "category",
      i."authMode"::text AS "authMode", i."validationStatus"::text AS "validationStatus",
      i."archivedAt", a."createdAt" AS "attachedAt"
    FROM "Attachment" a JOIN "Integration" i ON i."id" = a."integrationId"
    WHERE a."applicationId" = ANY(${[...applicationIds]}::uuid[])
      AND a."organizationId" = ${organizationId}::uuid
    ORDER BY a."id"`;
}

/** The attachments of one application in the order of attaching. */
export function listAttachments(
  db: Db,
  applicationId: string,
): Promise<{ id: string; integrationId: string }[]> {
  return db.attachment.findMany({
    where: { applicationId },
    orderBy: { id: 'asc' },
    select: { id: true, integrationId: true },
  });
}

export async function insertAttachments(
  db: Db,
  { organizationId, id: applicationId }: Pick<Application, 'organizationId' | 'id'>,
  integrationIds: readonly string[],
): Promise<void> {
  await db.attachment.createMany({
    data: integrationIds.map((integrationId) => ({
      ...createId(),
      organizationId,
      applicationId,
      integrationId,
    })),
  });
}

export async function deleteAttachments(db: Db, ids: readonly string[]): Promise<void> {
  await db.attachment.deleteMany({ where: { id: { in: [...ids] } } });
}

export async function integrationExists(
  db: Db,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const found = await db.integration.findFirst({
    where: { id, organizationId },
    select: { id: true },
  });
  return found !== null;
}

/**
 * Keeps integrations from being archived until the transaction ends, and tells which of them exist
 * and whether they are archived. Locked by ascending id, so that two calls cannot wait for each other.
 */
export async function holdIntegrations(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly archivedAt: Date | null }>> {
  const rows = await db.$queryRaw<{ id: string; archivedAt: Date | null }[]>`
    SELECT "id", "archivedAt" FROM "Integration"
    WHERE "id" = ANY(${[...ids]}::uuid[]) AND "organizationId" = ${organizationId}::uuid
    ORDER BY "id" FOR SHARE`;
  return new Map(rows.map((row) => [row.id, row]));
}
