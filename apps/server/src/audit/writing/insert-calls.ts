import { Prisma } from '../../generated/prisma/client.ts';
import type { Store } from '../../platform/database/store.ts';
import { rowOf, type StoredBlock } from '../stored-block.ts';

/**
 * Stores blocks without management events by one statement: those of calls, which a busy node writes many times in a
 * second.
 */
export async function insertCalls(store: Store, blocks: readonly StoredBlock[]): Promise<void> {
  const rows = JSON.stringify(blocks.map(rowOf));
  await store.statement([], () => ({
    name: 'audit-insert-calls',
    sql: Prisma.sql`
      INSERT INTO "AuditBlock" ("run", "number", "id", "node", "at", "previous", "ends", "signedBy",
        "witnesses", "organizationId", "from", "to", "calls", "applications", "integrations", "people", "ended",
        "managed", "bodyHash", "body", "hash", "signature")
      SELECT "run", "number", "id", "node", "at", "previous", "ends", "signedBy",
        "witnesses", "organizationId", "from", "to", "calls", "applications", "integrations", "people", "ended",
        "managed", "bodyHash", "body", "hash", "signature"
      FROM jsonb_to_recordset(${rows}::jsonb) AS "row" ("run" uuid, "number" int, "id" uuid,
        "node" text, "at" timestamptz, "previous" text, "ends" boolean, "signedBy" text,
        "witnesses" text, "organizationId" uuid, "from" timestamptz, "to" timestamptz, "calls" int,
        "applications" uuid[], "integrations" uuid[], "people" uuid[], "ended" uuid[], "managed" text,
        "bodyHash" text, "body" text, "hash" text, "signature" text)`,
  }));
}
