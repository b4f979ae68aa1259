import type { PageQuery } from '@gatehouse/contract';
import type { CursorScope } from '../state/cursors.ts';
import type { State } from '../state/state.ts';

/** A page of a list, newest first. */
export function readPage<Row extends { readonly id: string }>(
  { cursors }: State,
  scope: CursorScope,
  { limit, cursor }: PageQuery,
  rows: Iterable<Row>,
): { rows: Row[]; nextCursor: string | null } {
  const before = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const found = [...rows]
    .filter(({ id }) => before === undefined || id < before)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { rows: page, nextCursor: hasMore ? cursors.encode(scope, last.id) : null };
}
