import { inBatches } from '../platform/database/batches.ts';
import type { Db, Store } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import { makeAnchor } from './block.ts';
import { type AuditDays, advanceMark, type RetentionReach } from './retention-mark.ts';
import { readSigningKey } from './signing-keys.ts';
import { findIntact } from './stored-block.ts';
import { readAllHeads } from './writing/block-writes.ts';

/*
 * Batches of what housekeeping does to the audit. Blocks leave from the beginning of their run, and an anchor says where
 * it goes on: what is left can be verified.
 */

/** Takes the call events out of old blocks. */
function dropCalls(db: Db, { calls }: RetentionReach, size: number): Promise<number> {
  return db.$executeRaw`
    UPDATE "AuditBlock" SET "body" = NULL WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "AuditBlock"
      WHERE "body" IS NOT NULL AND "id" < ${calls}::uuid
      ORDER BY "id" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** Deletes old management events. */
function dropEvents(db: Db, { changes }: RetentionReach, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "AuditEvent" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "AuditEvent" WHERE "id" < ${changes}::uuid
      ORDER BY "id" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** Retention drops by the days here, and signs with a key from the vault. */
export interface RetentionDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly auditDays: AuditDays;
}

/** Applies the retention of calls, management events and blocks. Of nodes that do it within an hour, one does. */
export async function sweepAudit(
  { store, vault, auditDays }: RetentionDeps,
  signal?: AbortSignal,
): Promise<void> {
  const reach = await advanceMark(store, vault, auditDays);
  if (reach === undefined) return;
  const { db } = store;
  await inBatches((size) => dropCalls(db, reach, size), { signal });
  await inBatches((size) => dropEvents(db, reach, size), { signal });
  for (const { run } of await readAllHeads(db)) {
    const drop = (size: number) => dropBlocks({ store, vault, run, reach }, size);
    await inBatches(drop, { signal });
  }
}

interface OldRun {
  readonly store: Store;
  readonly vault: Vault;
  readonly run: string;
  readonly reach: RetentionReach;
}

interface OldBlock {
  readonly number: number;
  readonly isNeeded: boolean;
}

/** Deletes blocks at the beginning of a run, up to the first one with events that are kept. */
async function dropBlocks({ store, vault, run, reach }: OldRun, size: number): Promise<number> {
  const oldest = await store.db.$queryRaw<OldBlock[]>`
    SELECT "number", "id" >= ${reach.calls}::uuid OR "body" IS NOT NULL
      OR "managed" <> '[]' AND "id" >= ${reach.changes}::uuid AS "isNeeded"
    FROM "AuditBlock" WHERE "run" = ${run}::uuid ORDER BY "number" LIMIT ${size}`;
  const needed = oldest.findIndex(({ isNeeded }) => isNeeded);
  const last = oldest.at(needed === -1 ? oldest.length - 1 : needed - 1);
  if (needed === 0 || last === undefined) return 0;
  const [head] = await findIntact(store.db, [{ run, number: last.number }]);
  if (head === undefined) return 0;
  const { key, privateKey } = await readSigningKey(store, vault);
  const { keyId: signedBy, signature } = makeAnchor(head, key.id, privateKey);
  return store.transaction(async ({ db }) => {
    await db.$executeRaw`
      INSERT INTO "AuditAnchor" ("run", "number", "hash", "signedBy", "signature")
      VALUES (${run}::uuid, ${head.number}, ${head.hash}, ${signedBy}, ${signature})
      ON CONFLICT ("run") DO UPDATE SET "number" = excluded."number", "hash" = excluded."hash",
        "signedBy" = excluded."signedBy", "signature" = excluded."signature"
      WHERE "AuditAnchor"."number" < excluded."number"`;
    const { count } = await db.auditBlock.deleteMany({
      where: { run, number: { lte: head.number } },
    });
    return count;
  });
}
