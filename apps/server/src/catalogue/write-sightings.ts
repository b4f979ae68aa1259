import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db, Store, Tx } from '../platform/database/store.ts';
import type { Definition } from './fingerprint.ts';
import type { ToolSource } from './known-tool.ts';
import { partsOf } from './parts.ts';

/** Names of one integration that are catalogued. */
export const MAX_NAMES = 5_000;

/** Definitions of one tool. Approved ones stay, even if there are more. */
const MAX_DEFINITIONS = 10;

/**
 * Writes definitions that were seen of an active integration, the latest of each tool last. Writes and announces nothing
 * that is known to be the latest. Nothing is written if the integration has another URL by now.
 */
export async function writeSightings(
  store: Store,
  source: ToolSource,
  definitions: readonly Definition[],
): Promise<void> {
  for (const part of partsOf(definitions)) {
    await nextTurn();
    await store.transaction((tx) => writePart(tx, source, part));
  }
}

async function writePart(
  { db, announce }: Tx,
  source: ToolSource,
  definitions: readonly Definition[],
): Promise<void> {
  // One writer at a time: approvals take the same lock.
  const [active] = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Integration" WHERE "id" = ${source.integrationId}::uuid
      AND "organizationId" = ${source.organizationId}::uuid AND "url" = ${source.url}
      AND "archivedAt" IS NULL FOR NO KEY UPDATE`;
  if (active === undefined) return;
  const allowed = await withinLimit(db, source.integrationId, definitions);
  // On the embedded database, statements that follow each other run in one turn.
  await nextTurn();
  if (allowed.length === 0 || (await upsert(db, source, allowed)) === 0) return;
  await nextTurn();
  await deleteSurplus(db, source.integrationId, allowed);
  announce({ kind: 'tools', id: source.integrationId });
}

/** Without new names above the limit. */
async function withinLimit(
  db: Db,
  integrationId: string,
  definitions: readonly Definition[],
): Promise<readonly Definition[]> {
  const names = [...new Set(definitions.map(({ name }) => name))];
  const [found] = await db.$queryRaw<{ count: number; known: string[] }[]>`
    SELECT count(DISTINCT "name")::int AS "count",
      COALESCE(array_agg(DISTINCT "name") FILTER (WHERE "name" = ANY(${names})), '{}') AS "known"
    FROM "ToolDefinition" WHERE "integrationId" = ${integrationId}::uuid`;
  const known = new Set(found?.known);
  const added = names.filter((name) => !known.has(name)).slice(0, MAX_NAMES - (found?.count ?? 0));
  const allowed = new Set([...known, ...added]);
  return definitions.filter(({ name }) => allowed.has(name));
}

/** @returns how many definitions became the latest of their tool */
function upsert(
  db: Db,
  { organizationId, integrationId }: ToolSource,
  definitions: readonly Definition[],
): Promise<number> {
  const of = <K extends keyof Definition>(key: K) => definitions.map((each) => each[key]);
  const names = of('name');
  const flipped = names.filter((name, index) => names.indexOf(name) !== index);
  // By the database's clock, and in the order given even within a millisecond.
  return db.$executeRaw`
    INSERT INTO "ToolDefinition" AS t ("integrationId", "organizationId", "name", "fingerprint",
      "schemaFingerprint", "definition", "readOnly", "firstSeenAt", "lastSeenAt")
    SELECT ${integrationId}::uuid, ${organizationId}::uuid, s."name", s."fingerprint",
      s."schemaFingerprint", s."definition", s."readOnly", now(),
      GREATEST(clock_timestamp(), l."lastSeenAt") + s."n" * interval '1 millisecond'
    FROM unnest(${names}::text[], ${of('fingerprint')}::text[],
      ${of('schemaFingerprint')}::text[], ${of('definition')}::text[], ${of('readOnly')}::bool[])
      WITH ORDINALITY AS s("name", "fingerprint", "schemaFingerprint", "definition", "readOnly", "n")
    LEFT JOIN LATERAL (
      SELECT k."fingerprint", k."lastSeenAt" FROM "ToolDefinition" k
      WHERE k."integrationId" = ${integrationId}::uuid AND k."name" = s."name"
      ORDER BY k."lastSeenAt" DESC LIMIT 1
    ) l ON true
    WHERE l."fingerprint" IS DISTINCT FROM s."fingerprint" OR s."name" = ANY(${flipped})
    ON CONFLICT ("integrationId", "name", "fingerprint") DO UPDATE
      SET "lastSeenAt" = EXCLUDED."lastSeenAt",
        "definition" = COALESCE(t."definition", EXCLUDED."definition")`;
}

/** Deletes the oldest definitions of a tool that nobody has approved; never the latest. */
async function deleteSurplus(
  db: Db,
  integrationId: string,
  definitions: readonly Definition[],
): Promise<void> {
  const names = definitions.map(({ name }) => name);
  await db.$executeRaw`
    DELETE FROM "ToolDefinition" t USING (
      SELECT "name", "fingerprint", row_number() OVER (
        PARTITION BY "name" ORDER BY "approvedAt" IS NULL, "lastSeenAt" DESC) AS "place",
        max("lastSeenAt") OVER (PARTITION BY "name") AS "latest"
      FROM "ToolDefinition" WHERE "integrationId" = ${integrationId}::uuid AND "name" = ANY(${names})
    ) p
    WHERE t."integrationId" = ${integrationId}::uuid AND t."name" = p."name"
      AND t."fingerprint" = p."fingerprint" AND p."place" > ${MAX_DEFINITIONS}
      AND t."approvedAt" IS NULL AND t."lastSeenAt" < p."latest"`;
}
