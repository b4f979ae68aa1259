import type { Application } from '../../generated/prisma/client.ts';
import type { AuthMode, Category, ValidationStatus } from '../../generated/prisma/enums.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import type { AggregateColumns, ApplicationOauthColumns } from './columns.ts';
import type { ApplicationScope } from './rules.ts';

export interface NewApplication extends ApplicationOauthColumns {
  readonly organizationId: string;
  readonly ownerUserId: string;
  readonly name: string;
  readonly callsPerMinute: number | null;
  readonly concurrentCalls: number | null;
  readonly secretHash: Buffer<ArrayBuffer> | null;
}

export type ApplicationChange = Partial<
  Omit<NewApplication, 'organizationId' | 'ownerUserId'> & AggregateColumns
> & {
  readonly archivedAt?: Date | null;
};

/** The columns of an attached integration that its application shows. */
export interface AttachedRow {
  readonly applicationId: string;
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  readonly authMode: AuthMode;
  readonly validationStatus: ValidationStatus;
  readonly archivedAt: Date | null;
  readonly attachedAt: Date;
  readonly alias: string;
}

export function findApplication(
  db: Db,
  scope: ApplicationScope,
  id: string,
): Promise<Application | null> {
  return db.application.findFirst({ where: { ...scope, id } });
}

/** Locks the row until the transaction ends: changes of one application run one after another. */
export async function lockApplicationRow(
  db: Db,
  organizationId: string,
  id: string,
): Promise<void> {
  await db.$queryRaw`
    SELECT "id" FROM "Application"
    WHERE "id" = ${id}::uuid AND "organizationId" = ${organizationId}::uuid FOR UPDATE`;
}

/**
 * One page, newest first. An owner belongs to one organization. With both in the condition, PostgreSQL
 * would underestimate the number of rows and sort all applications of the owner.
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

/** Writes a change of the configuration and the next version, and so the next ETag. */
export function updateApplicationRow(
  db: Db,
  id: string,
  change: ApplicationChange,
): Promise<Application> {
  return db.application.update({
    where: { id },
    data: { ...change, version: { increment: 1 }, updatedAt: new Date() },
  });
}

/** The number of integrations of each application that has any. */
export async function countAttachments(
  db: Db,
  applicationIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ applicationId: string; count: number }[]>`
    SELECT "applicationId", count(*)::int AS "count" FROM "Attachment"
    WHERE "applicationId" = ANY(${[...applicationIds]}::uuid[]) GROUP BY "applicationId"`;
  return new Map(rows.map(({ applicationId, count }) => [applicationId, count]));
}

/** The integrations attached to these applications, in the order in which they were attached. */
export function listAttachedIntegrations(
  db: Db,
  organizationId: string,
  applicationIds: readonly string[],
): Promise<AttachedRow[]> {
  return db.$queryRaw<AttachedRow[]>`
    SELECT a."applicationId", i."id", i."name", i."category"::text AS "category",
      i."authMode"::text AS "authMode", i."validationStatus"::text AS "validationStatus",
      i."archivedAt", a."createdAt" AS "attachedAt", a."alias"
    FROM "Attachment" a JOIN "Integration" i ON i."id" = a."integrationId"
    WHERE a."applicationId" = ANY(${[...applicationIds]}::uuid[])
      AND a."organizationId" = ${organizationId}::uuid
    ORDER BY a."id"`;
}
