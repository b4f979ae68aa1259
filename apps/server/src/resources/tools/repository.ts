import { limits, type ToolState } from '@gatehouse/contract';
import type { Db } from '../../platform/database/store.ts';

/** A definition that was approved. `approvedAt` is in milliseconds since 1970. */
export interface ApprovedRow {
  readonly fingerprint: string;
  readonly approvedAt: number;
  readonly approvedBy: string | null;
}

/** A tool by its definition that was seen last. */
export interface ToolRow {
  /** Its name: its place in the list. */
  readonly id: string;
  readonly state: ToolState;
  readonly fingerprint: string;
  readonly readOnly: boolean;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** Latest first. */
  readonly approved: readonly ApprovedRow[];
  /** Its definition and that which was approved last, null if too long or behind what one page shows. */
  readonly definition: string | null;
  readonly approvedDefinition: string | null;
  /** Bytes of the definitions of the tools before it on the page. */
  readonly bytesBefore: number;
}

export interface ToolsPage {
  readonly state?: ToolState | undefined;
  /** The name of the last tool of the page before. */
  readonly after?: string | undefined;
  readonly take: number;
}

/**
 * One page by name. It reads at most the keys of the definitions of one integration, which are limited, and
 * their texts until one page has enough of them.
 */
export function listTools(
  db: Db,
  integrationId: string,
  { state, after, take }: ToolsPage,
): Promise<ToolRow[]> {
  return db.$queryRaw<ToolRow[]>`
    WITH page AS (
      SELECT latest.*, coalesce(approvals."approved", '[]') AS "approved", approvals."last",
        CASE WHEN latest."approvedAt" IS NOT NULL THEN 'approved'
          WHEN approvals."approved" IS NOT NULL THEN 'changed' ELSE 'new' END AS "state"
      FROM (
        SELECT DISTINCT t."name" FROM "ToolDefinition" t
        WHERE t."integrationId" = ${integrationId}::uuid AND (${after ?? null}::text IS NULL OR t."name" > ${after ?? null}::text)
        ORDER BY t."name"
      ) tools
      CROSS JOIN LATERAL (
        SELECT t."name", t."fingerprint", t."readOnly", t."firstSeenAt", t."lastSeenAt", t."approvedAt",
          octet_length(t."definition") AS "bytes"
        FROM "ToolDefinition" t
        WHERE t."integrationId" = ${integrationId}::uuid AND t."name" = tools."name"
        ORDER BY t."lastSeenAt" DESC, t."fingerprint" DESC LIMIT 1
      ) latest
      LEFT JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('fingerprint', a."fingerprint",
            'approvedAt', floor(extract(epoch FROM a."approvedAt") * 1000)::bigint,
            'approvedBy', a."approvedBy") ORDER BY a."approvedAt" DESC, a."fingerprint") AS "approved",
          (array_agg(a."fingerprint" ORDER BY a."approvedAt" DESC, a."fingerprint"))[1] AS "last"
        FROM "ToolDefinition" a
        WHERE a."integrationId" = ${integrationId}::uuid AND a."name" = latest."name"
          AND a."approvedAt" IS NOT NULL
      ) approvals ON true
      WHERE ${state ?? null}::text IS NULL OR ${state ?? null}::text =
        CASE WHEN latest."approvedAt" IS NOT NULL THEN 'approved'
          WHEN approvals."approved" IS NOT NULL THEN 'changed' ELSE 'new' END
      ORDER BY tools."name" LIMIT ${take}
    ), measured AS (
      SELECT page.*, (sum(coalesce(page."bytes", 0) + coalesce(octet_length(last."definition"), 0))
          OVER (ORDER BY page."name")
        - coalesce(page."bytes", 0) - coalesce(octet_length(last."definition"), 0))::int AS "bytesBefore"
      FROM page
      LEFT JOIN "ToolDefinition" last ON last."integrationId" = ${integrationId}::uuid
        AND last."name" = page."name" AND last."fingerprint" = page."last"
    )
    SELECT m."name" AS "id", m."state", m."fingerprint", m."readOnly", m."firstSeenAt", m."lastSeenAt",
      m."approved", m."bytesBefore", latest."definition", former."definition" AS "approvedDefinition"
    FROM measured m
    LEFT JOIN "ToolDefinition" latest ON latest."integrationId" = ${integrationId}::uuid
      AND latest."name" = m."name" AND latest."fingerprint" = m."fingerprint"
      AND m."bytesBefore" < ${limits.pageDefinitionBytes}
    LEFT JOIN "ToolDefinition" former ON former."integrationId" = ${integrationId}::uuid
      AND former."name" = m."name" AND former."fingerprint" = m."last"
      AND m."bytesBefore" < ${limits.pageDefinitionBytes}
    ORDER BY m."name"`;
}

/** What became of a definition that is to be approved. */
export interface Approval {
  readonly name: string;
  readonly isLatest: boolean;
  readonly wasApproved: boolean;
  readonly isWritten: boolean;
}

export type Fingerprints = Readonly<Record<string, string>>;

/**
 * Approves what is the latest of its tool. One statement, so that a definition seen meanwhile comes before
 * or after it.
 */
export function approveRows(
  db: Db,
  integrationId: string,
  fingerprints: Fingerprints,
  userId: string,
): Promise<Approval[]> {
  return db.$queryRaw<Approval[]>`
    WITH asked AS (
      SELECT a."name", a."fingerprint", latest."fingerprint" IS NOT DISTINCT FROM a."fingerprint" AS "isLatest",
        latest."approvedAt" IS NOT NULL AS "wasApproved"
      FROM unnest(${Object.keys(fingerprints)}::text[], ${Object.values(fingerprints)}::text[])
        AS a("name", "fingerprint")
      LEFT JOIN LATERAL (
        SELECT t."fingerprint", t."approvedAt" FROM "ToolDefinition" t
        WHERE t."integrationId" = ${integrationId}::uuid AND t."name" = a."name"
        ORDER BY t."lastSeenAt" DESC, t."fingerprint" DESC LIMIT 1
      ) latest ON true
    ), written AS (
      UPDATE "ToolDefinition" t SET "approvedAt" = now(), "approvedBy" = ${userId}::uuid
      FROM asked
      WHERE t."integrationId" = ${integrationId}::uuid AND t."name" = asked."name"
        AND t."fingerprint" = asked."fingerprint" AND asked."isLatest" AND t."approvedAt" IS NULL
      RETURNING t."name"
    )
    SELECT asked."name", asked."isLatest", asked."wasApproved", written."name" IS NOT NULL AS "isWritten"
    FROM asked LEFT JOIN written ON written."name" = asked."name" ORDER BY asked."name"`;
}

/** Withdraws what is approved; the names of it. */
export async function withdrawRows(
  db: Db,
  integrationId: string,
  fingerprints: Fingerprints,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    WITH written AS (
      UPDATE "ToolDefinition" t SET "approvedAt" = NULL, "approvedBy" = NULL
      FROM unnest(${Object.keys(fingerprints)}::text[], ${Object.values(fingerprints)}::text[])
        AS a("name", "fingerprint")
      WHERE t."integrationId" = ${integrationId}::uuid AND t."name" = a."name"
        AND t."fingerprint" = a."fingerprint" AND t."approvedAt" IS NOT NULL
      RETURNING t."name"
    )
    SELECT "name" FROM written ORDER BY "name"`;
  return rows.map(({ name }) => name);
}

/** Says that lists may differ now. The version stays: it is that of the configuration. */
export async function touchReview(db: Db, integrationId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "Integration" SET "toolsReviewedAt" = now() WHERE "id" = ${integrationId}::uuid`;
}
