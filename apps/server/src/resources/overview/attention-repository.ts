import { limits } from '@gatehouse/contract';
import type { Db } from '../../platform/database/store.ts';

/** One of the first, with the number of all. */
interface Counted {
  readonly id: string;
  readonly name: string;
  readonly total: number;
}

export interface InvalidRow extends Counted {
  readonly message: string | null;
}

/** @param without ids of integrations that are left out */
export function findInvalidIntegrations(
  db: Db,
  organizationId: string,
  without: readonly string[],
): Promise<InvalidRow[]> {
  return db.$queryRaw<InvalidRow[]>`
    SELECT "id", "name", "validationMessage" AS "message", (count(*) OVER ())::int AS "total"
    FROM "Integration"
    WHERE "organizationId" = ${organizationId}::uuid AND "validationStatus" = 'invalid'
      AND "archivedAt" IS NULL AND "id" <> ALL(${[...without]}::uuid[])
    ORDER BY "id" DESC LIMIT ${limits.namedRows}`;
}

export interface EndingRow extends Counted {
  readonly expiresAt: Date;
}

/** A certificate that has ended makes its integration invalid, which says it. */
export function findEndingCertificates(db: Db, organizationId: string): Promise<EndingRow[]> {
  return db.$queryRaw<EndingRow[]>`
    SELECT "id", "name", "certificateExpiresAt" AS "expiresAt", (count(*) OVER ())::int AS "total"
    FROM "Integration"
    WHERE "organizationId" = ${organizationId}::uuid AND "archivedAt" IS NULL
      AND "validationStatus" <> 'invalid' AND "certificateExpiresAt" IS NOT NULL
      AND "certificateExpiresAt" > now() AND "certificateExpiresAt" < now() + interval '14 days'
    ORDER BY "certificateExpiresAt", "id" LIMIT ${limits.namedRows}`;
}

export function findEndingTokens(db: Db, userId: string): Promise<EndingRow[]> {
  return db.$queryRaw<EndingRow[]>`
    SELECT "id", "name", "expiresAt", (count(*) OVER ())::int AS "total" FROM "Token"
    WHERE "userId" = ${userId}::uuid AND "kind" = 'personal'
      AND "expiresAt" > now() AND "expiresAt" < now() + interval '7 days'
    ORDER BY "expiresAt", "id" LIMIT ${limits.namedRows}`;
}

export interface ChangedRow extends Counted {
  readonly toolCount: number;
  readonly toolNames: string[];
}

/** Tools with another definition than an approved one: of each tool that has one, the latest is looked at. */
export function findChangedTools(db: Db, organizationId: string): Promise<ChangedRow[]> {
  return db.$queryRaw<ChangedRow[]>`
    WITH "looked" AS MATERIALIZED (
      SELECT "id", "name" FROM "Integration"
      WHERE "organizationId" = ${organizationId}::uuid AND "archivedAt" IS NULL
        AND "toolsReviewedAt" IS NOT NULL
      ORDER BY "toolsReviewedAt" DESC LIMIT ${limits.overviewRows}
    ), "approved" AS MATERIALIZED (
      SELECT DISTINCT t."integrationId", t."name" FROM "looked" l
      JOIN "ToolDefinition" t ON t."integrationId" = l."id" WHERE t."approvedAt" IS NOT NULL
    ), "changed" AS (
      SELECT a."integrationId", a."name",
        row_number() OVER (PARTITION BY a."integrationId" ORDER BY a."name") AS "place"
      FROM "approved" a CROSS JOIN LATERAL (
        SELECT t."approvedAt" FROM "ToolDefinition" t
        WHERE t."integrationId" = a."integrationId" AND t."name" = a."name"
        ORDER BY t."lastSeenAt" DESC, t."fingerprint" DESC LIMIT 1
      ) latest
      WHERE latest."approvedAt" IS NULL
    )
    SELECT l."id", l."name", count(*)::int AS "toolCount",
      array_agg(c."name" ORDER BY c."name")
        FILTER (WHERE c."place" <= ${limits.overviewToolNames}) AS "toolNames",
      (count(*) OVER ())::int AS "total"
    FROM "changed" c JOIN "looked" l ON l."id" = c."integrationId"
    GROUP BY l."id", l."name" ORDER BY l."id" DESC LIMIT ${limits.namedRows}`;
}
