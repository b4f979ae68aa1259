/** Nobody's id. */
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * A condition that holds for the rows of `id` alone, for lists ordered by that column and then by
 * descending row id: it makes a page one range of the index on both. Of a plain equality PostgreSQL
 * concludes that the row id alone gives the order. It then likes to walk the primary key, which
 * passes all the newer rows of everybody else until the page is full.
 */
export function oneRangeOf(id: string): { in: [string, string] } {
  return { in: [id, NIL] };
}
