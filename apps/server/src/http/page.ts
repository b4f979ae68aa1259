import type { CursorScope, Cursors } from './cursor.ts';

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Reads a page of a list in descending order of ids. `readRows` reads `take` rows with an id below `before`.
 * `countFitting` tells how many of a page's rows are shown, at least one; by default all.
 */
export async function readPage<Row extends { readonly id: string }>(
  cursors: Cursors,
  scope: CursorScope,
  query: PageQuery,
  readRows: (page: { before: string | undefined; take: number }) => Promise<Row[]>,
  countFitting: (rows: readonly Row[]) => Promise<number> = async ({ length }) => length,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const before = query.cursor === undefined ? undefined : cursors.decode(scope, query.cursor);
  const rows = await readRows({ before, take: query.limit + 1 });
  const full = rows.slice(0, query.limit);
  const page = full.slice(0, await countFitting(full));
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return { rows: page, nextCursor: hasMore ? cursors.encode(scope, last.id) : null };
}
