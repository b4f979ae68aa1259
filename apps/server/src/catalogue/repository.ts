import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '../platform/database/store.ts';
import type { Fingerprints, KnownTool } from './known-tool.ts';

interface Row extends Fingerprints {
  readonly name: string;
  readonly isApproved: boolean;
  readonly lastSeenAt: Date;
}

/** A tool while its rows are read. */
interface Draft {
  latest: Row;
  readonly approved: Set<string>;
  readonly approvedSchemas: Set<string>;
}

/** Rows of one statement: the embedded database holds the process for about 10 ms. */
const PART = 1_000;

/** The tools of an integration by their names. Usually one statement; long catalogues are read in parts. */
export async function readTools(
  db: Db,
  organizationId: string,
  integrationId: string,
): Promise<Map<string, KnownTool>> {
  const tools = new Map<string, Draft>();
  let last = { name: '', fingerprint: '' };
  for (;;) {
    const rows = await db.$queryRaw<Row[]>`
      SELECT "name", "fingerprint", "schemaFingerprint", "readOnly", "lastSeenAt",
        "approvedAt" IS NOT NULL AS "isApproved"
      FROM "ToolDefinition"
      WHERE "integrationId" = ${integrationId}::uuid AND "organizationId" = ${organizationId}::uuid
        AND ("name", "fingerprint") > (${last.name}, ${last.fingerprint})
      ORDER BY "name", "fingerprint" LIMIT ${PART}`;
    for (const row of rows) addTo(tools, row);
    if (rows.length < PART) return tools;
    last = rows.at(-1) ?? last;
    await nextTurn();
  }
}

function addTo(tools: Map<string, Draft>, row: Row): void {
  let tool = tools.get(row.name);
  if (tool === undefined) {
    tool = { latest: row, approved: new Set(), approvedSchemas: new Set() };
    tools.set(row.name, tool);
  }
  // Of the same millisecond, the last in this order.
  if (row.lastSeenAt >= tool.latest.lastSeenAt) tool.latest = row;
  if (!row.isApproved) return;
  tool.approved.add(row.fingerprint);
  tool.approvedSchemas.add(row.schemaFingerprint);
}
