import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Part } from './repository.ts';

/** Rows of one statement, which take the embedded database in this process about 10 ms. */
const PART = 1_000;

/**
 * Reads up to `max` rows in descending order of ids, in parts, so that other requests get their turn in
 * between.
 */
export async function readInParts<Row extends { readonly id: string }>(
  max: number,
  read: (part: Part) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  while (rows.length < max) {
    await nextTurn();
    const take = Math.min(PART, max - rows.length);
    const found = await read({ before: rows.at(-1)?.id, take });
    rows.push(...found);
    if (found.length < take) return rows;
  }
  return rows;
}

/** Finds the rows of many ids in parts too. */
export async function findInParts<Row>(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<Row[]>,
  size = PART,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < ids.length; start += size) {
    await nextTurn();
    rows.push(...(await find(ids.slice(start, start + size))));
  }
  return rows;
}
