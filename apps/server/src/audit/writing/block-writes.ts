import { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Store } from '../../platform/database/store.ts';
import { smallestIdAt } from '../../platform/ids.ts';
import type { RunHead } from '../block.ts';
import { hashOfText } from '../hash.ts';
import { rowOf, type StoredBlock, selectLastBlocks } from '../stored-block.ts';
import type { LooseEvent } from './waiting-events.ts';

/** The last block of another run. */
export interface SeenHead extends RunHead {
  /** It has no events: it only names other heads. */
  readonly isWitness: boolean;
}

/** Milliseconds after which a management event is adopted: its own run takes it in within a second. */
const ADOPTED_AFTER = 10_000;

const MAX_ADOPTED = 1_000;

/** The last blocks of the runs that have written since then. One short range of an index. */
export function readRecentHeads(db: Db, run: string, since: number): Promise<SeenHead[]> {
  return db.$queryRaw<SeenHead[]>`
    SELECT DISTINCT ON ("run") "run", "number", "hash", "organizationId" IS NULL AS "isWitness"
    FROM "AuditBlock" WHERE "id" >= ${smallestIdAt(since)}::uuid AND "run" <> ${run}::uuid
    ORDER BY "run", "number" DESC`;
}

/** The last blocks of all runs. */
export function readAllHeads(db: Db): Promise<SeenHead[]> {
  return db.$queryRaw<SeenHead[]>(
    selectLastBlocks(
      Prisma.sql`b."run", b."number", b."hash", b."organizationId" IS NULL AS "isWitness"`,
    ),
  );
}

/** The last block that a run has stored. */
export function findHead(db: Db, run: string): Promise<RunHead | null> {
  return db.auditBlock.findFirst({
    where: { run },
    orderBy: { number: 'desc' },
    select: { run: true, number: true, hash: true },
  });
}

/** Management events that no block has taken in: their run has ended before it could. */
export async function findLooseEvents(db: Db, run: string): Promise<LooseEvent[]> {
  const rows = await db.auditEvent.findMany({
    where: { blockNumber: null, id: { lt: smallestIdAt(Date.now() - ADOPTED_AFTER) } },
    orderBy: { id: 'asc' },
    take: MAX_ADOPTED,
  });
  return rows.map(({ id, organizationId, event, run: writer }) => ({
    ...{ id, organizationId, digest: hashOfText(event) },
    run: writer === run ? null : writer,
  }));
}

/**
 * Locks management events for the block that takes them in. One that is in a block is left out; one that is not there is
 * kept: it was committed, and its digest shows that it is missing.
 */
export async function lockLoose(db: Db, loose: readonly LooseEvent[]): Promise<LooseEvent[]> {
  if (loose.length === 0) return [];
  const ids = loose.map(({ id }) => id);
  const taken = await db.$queryRaw<{ readonly id: string; readonly isTaken: boolean }[]>`
    SELECT "id", "blockNumber" IS NOT NULL AS "isTaken" FROM "AuditEvent"
    WHERE "id" = ANY(${ids}::uuid[]) ORDER BY "id" FOR UPDATE`;
  const inBlocks = new Set(taken.flatMap(({ id, isTaken }) => (isTaken ? [id] : [])));
  return loose.filter(({ id }) => !inBlocks.has(id));
}

/** Stores blocks, and notes at their management events where they are. */
export async function insertBlocks(db: Db, blocks: readonly StoredBlock[]): Promise<void> {
  await db.auditBlock.createMany({ data: blocks.map(rowOf) });
  for (const { head, content } of blocks) {
    if (content.managed.length === 0) continue;
    await db.auditEvent.updateMany({
      where: { id: { in: content.managed.map(({ id }) => id) } },
      data: { blockRun: head.run, blockNumber: head.number },
    });
  }
}

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
