import type { PageQuery } from '@gatehouse/contract';
import type { CursorScope } from '../state/cursors.ts';
import type { State } from '../state/state.ts';

/** A page of a list, newest first. `countFitting` tells how many of its rows are shown, by default all. */
export function readPage<Row extends { readonly id: string }>(
  { cursors }: State,
  scope: CursorScope,
  { limit, cursor }: PageQuery,
  rows: Iterable<Row>,
  countFitting: (rows: readonly Row[]) => number = ({ length }) => length,
): { rows: Row[]; nextCursor: string | null } {
  const before = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const found = [...rows]
    .filter(({ id }) => before === undefined || id < before)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  const full = found.slice(0, limit);
  const page = full.slice(0, countFitting(full));
  const last = page.at(-1);
  const hasMore = found.length > page.length && last !== undefined;
  return { rows: page, nextCursor: hasMore ? cursors.encode(scope, last.id) : null };
}
