import type { CursorScope, Cursors } from './cursor.ts';

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of a list ordered by descending id; `fetch` reads `take` rows whose id is below `before`. */
export async function readPage<Row extends { readonly id: string }>(
  cursors: Cursors,
  scope: CursorScope,
  query: PageQuery,
  fetch: (page: { before: string | undefined; take: number }) => Promise<Row[]>,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const before = query.cursor === undefined ? undefined : cursors.decode(scope, query.cursor);
  const rows = await fetch({ before, take: query.limit + 1 });
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const more = rows.length > query.limit && last !== undefined;
  return { rows: page, nextCursor: more ? cursors.encode(scope, last.id) : null };
}
