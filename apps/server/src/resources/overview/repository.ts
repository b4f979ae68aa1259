import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import { isLasting } from '../../sessions/leases.ts';
import type { ApplicationScope } from '../applications/rules.ts';

export interface IntegrationFigures {
  readonly total: number;
  readonly valid: number;
}

export async function readIntegrationFigures(
  db: Db,
  organizationId: string,
): Promise<IntegrationFigures> {
  const [figures] = await db.$queryRaw<IntegrationFigures[]>`
    SELECT count(*)::int AS "total",
      (count(*) FILTER (WHERE "validationStatus" = 'valid'))::int AS "valid"
    FROM "Integration" WHERE "organizationId" = ${organizationId}::uuid AND "archivedAt" IS NULL`;
  return figures ?? { total: 0, valid: 0 };
}

export interface ApplicationFigures {
  /** Those that are not archived. */
  readonly total: number;
  /** All sessions ever, those of archived applications too. */
  readonly sessions: number;
  readonly firstCallAt: Date | null;
}

export async function readApplicationFigures(
  db: Db,
  scope: ApplicationScope,
): Promise<ApplicationFigures> {
  const [figures] = await db.$queryRaw<ApplicationFigures[]>`
    SELECT (count(*) FILTER (WHERE "archivedAt" IS NULL))::int AS "total",
      coalesce(sum("totalSessionCount"), 0)::float8 AS "sessions", min("firstCallAt") AS "firstCallAt"
    FROM "Application" WHERE ${isWithin(scope)}`;
  return figures ?? { total: 0, sessions: 0, firstCallAt: null };
}

function isWithin({ organizationId, ownerUserId }: ApplicationScope): Prisma.Sql {
  return ownerUserId === undefined
    ? Prisma.sql`"organizationId" = ${organizationId}::uuid`
    : Prisma.sql`"ownerUserId" = ${ownerUserId}::uuid`;
}

/** The applications with a session that has not ended, or with a lease that lasts. */
export async function listUsedApplications(
  db: Db,
  { organizationId, ownerUserId }: ApplicationScope,
): Promise<string[]> {
  const isOwn =
    ownerUserId === undefined
      ? Prisma.empty
      : Prisma.sql`WHERE p."ownerUserId" = ${ownerUserId}::uuid`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH "used" AS MATERIALIZED (
      SELECT "applicationId" AS "id" FROM "Session"
      WHERE "organizationId" = ${organizationId}::uuid AND "state" = 'open'
      UNION SELECT "applicationId" FROM "CredentialLease"
      WHERE "organizationId" = ${organizationId}::uuid AND ${isLasting}
    )
    SELECT p."id" FROM "used" u JOIN "Application" p ON p."id" = u."id" ${isOwn}`;
  return rows.map(({ id }) => id);
}
