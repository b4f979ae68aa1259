import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { type Column, nextSort, sortDirection, sortRows } from './sort-rows.ts';

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row, ReactNode>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The id of a column, after `-` if descending. */
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string | undefined) => void) | undefined;
}

const OPTIONAL = 'max-wide:hidden';
const EDGES = 'first:pl-4 last:pr-4';

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, sort, onSort } = props;
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sortRows(rows, columns, sort).map((row) => (
            <tr
              key={rowKey(row)}
              className="relative border-b border-line last:border-b-0 hover:bg-hover has-focus-visible:bg-hover"
            >
              {columns.map(({ id, cell, align, isOptional }) => (
                <td
                  key={id}
                  className={`h-11 px-3 ${EDGES} ${align === 'right' ? 'text-right tabular-nums' : ''} ${isOptional ? OPTIONAL : ''}`}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ColumnHeadProps<Row> {
  readonly column: Column<Row, ReactNode>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string | undefined) => void) | undefined;
}

function ColumnHead<Row>({ column, sort, onSort }: ColumnHeadProps<Row>) {
  const { id, header, isHeaderHidden, align, isOptional, sortBy } = column;
  const direction = sortDirection(id, sort);
  const classes = `px-3 py-2 text-12 font-medium whitespace-nowrap text-ink-3 border-b border-line ${EDGES} ${align === 'right' ? 'text-right' : 'text-left'} ${isOptional ? OPTIONAL : ''}`;
  if (sortBy === undefined || onSort === undefined) {
    return (
      <th scope="col" className={classes}>
        {isHeaderHidden ? <span className="sr-only">{header}</span> : header}
      </th>
    );
  }
  return (
    <th scope="col" aria-sort={direction} className={classes}>
      <button
        type="button"
        onClick={() => onSort(nextSort(id, sort))}
        className="-my-1 inline-flex h-6 items-center gap-0.5 hover:text-ink"
      >
        {header}
        {direction !== undefined && (
          <Icon name={direction === 'ascending' ? 'up' : 'down'} className="size-3.5" />
        )}
      </button>
    </th>
  );
}
