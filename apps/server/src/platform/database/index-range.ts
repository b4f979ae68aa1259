/** An id that no row has, smaller than any (RFC 9562, section 5.9). */
export const NIL = '00000000-0000-0000-0000-000000000000';

/** An id that no row has, larger than any (RFC 9562, section 5.10). */
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * A filter that matches only the rows of `id`, for lists ordered by that column and then by row id
 * descending. It makes PostgreSQL read a page as one range of the index on both columns. With a plain
 * equality the planner drops that column from the ordering and tends to walk the primary key past every
 * newer row of other ids until the page is full.
 */
export function oneRangeOf(id: string): { in: [string, string] } {
  return { in: [id, NIL] };
}
