export interface Column<Row, Cell> {
  readonly id: string;
  readonly header: string;
  /** Whether only screen readers get the header: what the cells are is plain to see. */
  readonly isHeaderHidden?: boolean;
  readonly cell: (row: Row) => Cell;
  /** What rows are compared by. Without it the column does not sort. */
  readonly sortBy?: (row: Row) => string | number;
  readonly align?: 'right';
  /** Whether the column is left out below 860 px: the row's own view has it. */
  readonly isOptional?: boolean;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other));
}

/** Sorted by a column, or as given where no column has the name. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row, unknown>[],
  sort: string | undefined,
): readonly Row[] {
  const isDescending = sort?.startsWith('-') ?? false;
  const sortBy = columns.find(({ id }) => id === sort?.replace(/^-/, ''))?.sortBy;
  if (sortBy === undefined) return rows;
  const sorted = rows.toSorted((one, other) => compare(sortBy(one), sortBy(other)));
  return isDescending ? sorted.reverse() : sorted;
}

export function sortDirection(
  id: string,
  sort: string | undefined,
): 'ascending' | 'descending' | undefined {
  if (sort === id) return 'ascending';
  return sort === `-${id}` ? 'descending' : undefined;
}

/** Ascending, descending, then as the list comes. */
export function nextSort(id: string, sort: string | undefined): string | undefined {
  if (sort === id) return `-${id}`;
  return sort === `-${id}` ? undefined : id;
}
