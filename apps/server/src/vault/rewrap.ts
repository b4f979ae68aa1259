import { inBatches } from '../platform/database/batches.ts';
import type { Db } from '../platform/database/store.ts';
import type { Keyring } from './keyring.ts';
import { findStoredKeyIds } from './sealed-counts.ts';
import { nameOf, SEALED_TABLES, type SealedRow, type SealedTable } from './sealed-tables.ts';
import { createVault, type Vault, VaultError } from './vault.ts';

/** What has been done so far. */
export interface Rewrapped {
  /** Rows that are now sealed with the sealing key. */
  readonly rewrapped: number;
  /** Rows that do not open, and so stay as they are. */
  readonly unreadable: readonly UnreadableValue[];
  /** True if no row is left. False also if a row was locked, or written meanwhile. */
  readonly isDone: boolean;
}

export interface UnreadableValue {
  readonly table: string;
  readonly id: string;
  readonly keyId: string;
}

/** Give up after this many undecryptable rows. */
const MAX_UNREADABLE = 1_000;

/**
 * Seals the rows of other loaded keys again with the sealing key, until `signal` aborts. A row changes
 * only if it still holds what was read; locked rows are left for later. So it can run beside any number
 * of nodes, several times at once, and end at any moment.
 */
export async function rewrap(db: Db, keyring: Keyring, signal: AbortSignal): Promise<Rewrapped> {
  const stored = await findStoredKeyIds(db);
  const others = keyring.ids.filter((id) => id !== keyring.activeId && stored.has(id));
  const vault = createVault(keyring);
  const unreadable: UnreadableValue[] = [];
  let [rewrapped, passed] = [0, 0];
  for (const keyId of others) {
    for (const table of SEALED_TABLES) {
      const step = { db, vault, table, keyId, unreadable };
      await inBatches(
        async (size) => {
          const { found, opened, changed } = await rewrapBatch(step, size);
          rewrapped += changed;
          passed += opened - changed;
          return unreadable.length < MAX_UNREADABLE ? found : 0;
        },
        { signal },
      );
    }
  }
  return { rewrapped, unreadable, isDone: !signal.aborted && passed === 0 };
}

interface Step {
  readonly db: Db;
  readonly vault: Vault;
  readonly table: SealedTable;
  /** The key to replace. */
  readonly keyId: string;
  /** Rows that do not open are added to it. */
  readonly unreadable: UnreadableValue[];
}

async function rewrapBatch(
  { db, vault, table, keyId, unreadable }: Step,
  size: number,
): Promise<{ found: number; opened: number; changed: number }> {
  const except = unreadable.filter((value) => value.table === table.name).map(({ id }) => id);
  const rows = await table.read(db, keyId, size, except);
  const resealed = rows.flatMap((row) => {
    const sealed = reseal(vault, keyId, row);
    if (sealed === undefined) unreadable.push({ table: table.name, id: row.id, keyId });
    return sealed === undefined ? [] : [{ ...sealed, id: row.id, old: hex(row.sealed) }];
  });
  const changed = resealed.length === 0 ? 0 : await write({ db, table, keyId }, resealed);
  return { found: rows.length, opened: resealed.length, changed };
}

interface Resealed {
  readonly id: string;
  /** In hexadecimal digits, as `new`. */
  readonly old: string;
  readonly new: string;
  readonly newKeyId: string;
}

/** Undefined for a value that does not open. */
function reseal(
  vault: Vault,
  keyId: string,
  { sealed, context }: SealedRow,
): Pick<Resealed, 'new' | 'newKeyId'> | undefined {
  try {
    const again = vault.seal(vault.open({ keyId, sealed }, context), context);
    return { new: hex(again.sealed), newKeyId: again.keyId };
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

/** Waits for no lock, so it cannot deadlock. */
function write(
  { db, table, keyId }: Pick<Step, 'db' | 'table' | 'keyId'>,
  rows: readonly Resealed[],
): Promise<number> {
  return db.$executeRaw`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS g("id" uuid, "old" text, "new" text, "newKeyId" text)),
    locked AS (
      SELECT r."id", g."new", g."newKeyId" FROM ${nameOf(table)} r JOIN given g ON g."id" = r."id"
      WHERE r."keyId" = ${keyId} AND r."sealed" = decode(g."old", 'hex')
      FOR NO KEY UPDATE OF r SKIP LOCKED)
    UPDATE ${nameOf(table)} t SET "sealed" = decode(l."new", 'hex'), "keyId" = l."newKeyId"
    FROM locked l WHERE t."id" = l."id"`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
