import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PinState, ToolFacts } from '@gatehouse/contract';
import type { Db } from '../../../platform/database/store.ts';

/** A tool of an integration, and what its definition seen last says. */
export interface CataloguedTool {
  readonly name: string;
  readonly facts: ToolFacts;
}

/** The tools of integrations by their ids. An integration without tools has an empty list; one that was too many is absent. */
export type Catalogue = ReadonlyMap<string, readonly CataloguedTool[]>;

interface Row {
  readonly integrationId: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly definition: PinState;
  readonly schema: PinState;
}

/** Tools that are read for one request. An integration has at most 5,000. */
const MAX_TOOLS = 50_000;

/** Tools of one statement. */
const PART = 250;

/** Reads the tools of integrations, of the lowest ids first, until there are too many. */
export async function readCatalogue(
  db: Db,
  organizationId: string,
  integrationIds: readonly string[],
): Promise<Catalogue> {
  const ids = [...integrationIds].sort();
  const tools = new Map<string, CataloguedTool[]>(ids.map((id) => [id, []]));
  let last = { integrationId: ids[0] ?? '', name: '' };
  for (let read = 0; read < MAX_TOOLS && ids.length > 0; read += PART) {
    await nextTurn();
    const rows = await listTools(db, organizationId, ids, last);
    for (const row of rows) tools.get(row.integrationId)?.push(presentTool(row));
    if (rows.length < PART) return tools;
    last = rows.at(-1) ?? last;
  }
  for (const id of ids) if (id >= last.integrationId) tools.delete(id);
  return tools;
}

function presentTool({ name, readOnly, definition, schema }: Row): CataloguedTool {
  return { name, facts: { readOnly, pins: { definition, schema } } };
}

/** The tools after one, each by the row that was seen last, in the order of the primary key. */
function listTools(
  db: Db,
  organizationId: string,
  integrationIds: readonly string[],
  last: Pick<Row, 'integrationId' | 'name'>,
): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT t."integrationId", t."name", t."readOnly",
      CASE WHEN t."isApproved" THEN 'approved' WHEN t."isAnyApproved" THEN 'changed' ELSE 'new' END
        AS "definition",
      CASE WHEN t."schemaFingerprint" = ANY(t."approvedSchemas") THEN 'approved'
        WHEN t."isAnyApproved" THEN 'changed' ELSE 'new' END AS "schema"
    FROM (
      SELECT "integrationId", "name",
        (array_agg("readOnly" ORDER BY "lastSeenAt" DESC))[1] AS "readOnly",
        (array_agg("schemaFingerprint" ORDER BY "lastSeenAt" DESC))[1] AS "schemaFingerprint",
        (array_agg("approvedAt" IS NOT NULL ORDER BY "lastSeenAt" DESC))[1] AS "isApproved",
        bool_or("approvedAt" IS NOT NULL) AS "isAnyApproved",
        array_agg("schemaFingerprint") FILTER (WHERE "approvedAt" IS NOT NULL) AS "approvedSchemas"
      FROM "ToolDefinition"
      WHERE "integrationId" = ANY(${[...integrationIds]}::uuid[])
        AND "organizationId" = ${organizationId}::uuid
        AND ("integrationId", "name") > (${last.integrationId}::uuid, ${last.name})
      GROUP BY "integrationId", "name" ORDER BY "integrationId", "name" LIMIT ${PART}) t`;
}
