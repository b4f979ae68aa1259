import type { Db } from '../platform/database/store.ts';
import { nameOf, SEALED_TABLES } from './sealed-tables.ts';

/** How many rows of each table a key has sealed; tables without any are left out. */
export type SealedCounts = Readonly<Record<string, number>>;

/** By the id of the key. Reads the index on `keyId` of every table. */
export async function countSealed(db: Db): Promise<ReadonlyMap<string, SealedCounts>> {
  const counts = new Map<string, Record<string, number>>();
  for (const table of SEALED_TABLES) {
    const rows = await db.$queryRaw<{ keyId: string; count: number }[]>`
      SELECT "keyId", count(*)::float8 AS "count" FROM ${nameOf(table)}
      WHERE "keyId" IS NOT NULL GROUP BY "keyId"`;
    for (const { keyId, count } of rows) {
      const ofKey = counts.get(keyId) ?? {};
      ofKey[table.name] = count;
      counts.set(keyId, ofKey);
    }
  }
  return counts;
}

/** The ids of all keys that have sealed a row. One short read per key and table, however many rows there are. */
export async function findStoredKeyIds(db: Db): Promise<ReadonlySet<string>> {
  const keyIds = new Set<string>();
  for (const table of SEALED_TABLES) {
    for (let after = ''; ; ) {
      const [row] = await db.$queryRaw<{ keyId: string }[]>`
        SELECT "keyId" FROM ${nameOf(table)} WHERE "keyId" > ${after} ORDER BY "keyId" LIMIT 1`;
      if (row === undefined) break;
      after = row.keyId;
      keyIds.add(after);
    }
  }
  return keyIds;
}

/**
 * How many stored requests only this key recognizes when they are repeated (`IdempotencyKey.bodyHash`
 * begins with the length of the key's id and the id). They are kept for 24 hours.
 *
 * @returns their number, and when the last of them was stored
 */
export async function countRecognized(
  db: Db,
  keyId: string,
): Promise<{ count: number; last: Date | null }> {
  const prefix = Buffer.concat([Buffer.of(keyId.length), Buffer.from(keyId)]);
  const [row] = await db.$queryRaw<{ count: number; last: Date | null }[]>`
    SELECT count(*)::float8 AS "count", max("createdAt") AS "last" FROM "IdempotencyKey"
    WHERE substring("bodyHash" FROM 1 FOR ${prefix.length}::int) = ${prefix}
      AND "createdAt" > now() - interval '24 hours'`;
  return row ?? { count: 0, last: null };
}
