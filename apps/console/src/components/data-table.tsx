import { lazy, type ReactNode, type Ref, Suspense, useMemo } from 'react';
import { Icon } from './icon.tsx';
import { type Column, nextSort, sortDirection, sortRows } from './sort-rows.ts';
import { useFixedWidths } from './use-fixed-widths.ts';

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row, ReactNode>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The id of a column, after `-` if descending. */
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string | undefined) => void) | undefined;
  /** Whether rows are lower, as in a log. */
  readonly isDense?: boolean;
}

/** More rows than this are in the document only while they are near the window. Searching the page finds no others. */
const MANY_ROWS = 200;

type VirtualRowsOf = typeof import('./virtual-rows.tsx').VirtualRows;

// The type of a lazy component does not keep that of its rows.
const VirtualRows = lazy(async () => ({
  default: (await import('./virtual-rows.tsx')).VirtualRows,
})) as unknown as VirtualRowsOf;

const OPTIONAL = 'max-wide:hidden';
const EDGES = 'first:pl-4 last:pr-4';

/** With many rows, only those near the window are in the document. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, sort, onSort, isDense = false } = props;
  const isLong = rows.length > MANY_ROWS;
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  const { table, widths } = useFixedWidths(isLong);
  const plainRows = (
    <tbody>
      {sorted.slice(0, MANY_ROWS).map((row) => (
        <TableRow key={rowKey(row)} row={row} columns={columns} isDense={isDense} />
      ))}
    </tbody>
  );
  return (
    <div className="relative overflow-x-auto">
      <table
        ref={table}
        aria-rowcount={isLong ? rows.length + 1 : undefined}
        className={`w-full border-collapse ${widths === undefined ? '' : 'table-fixed'}`}
      >
        <caption className="sr-only">{caption}</caption>
        {widths !== undefined && (
          <colgroup>
            {widths.map((width, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other name here.
              <col key={index} style={{ width }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {isLong ? (
          <Suspense fallback={plainRows}>
            <VirtualRows rows={sorted} rowKey={rowKey}>
              {(row, index, ref) => (
                <TableRow
                  key={rowKey(row)}
                  ref={ref}
                  row={row}
                  columns={columns}
                  isDense={isDense}
                  index={index}
                />
              )}
            </VirtualRows>
          </Suspense>
        ) : (
          plainRows
        )}
      </table>
    </div>
  );
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row, ReactNode>[];
  readonly isDense: boolean;
  /** Its place among all rows, where not all are in the document. */
  readonly index?: number;
  readonly ref?: Ref<HTMLTableRowElement>;
}

function TableRow<Row>({ row, columns, isDense, index, ref }: TableRowProps<Row>) {
  return (
    <tr
      ref={ref}
      data-index={index}
      // The head is the first row.
      aria-rowindex={index === undefined ? undefined : index + 2}
      className="relative border-b border-line last:border-b-0 hover:bg-hover has-focus-visible:bg-hover has-aria-[current=page]:bg-accent-soft"
    >
      {columns.map(({ id, cell, align, isOptional }) => (
        <td
          key={id}
          className={`${isDense ? 'h-9' : 'h-11'} px-3 ${EDGES} ${align === 'right' ? 'text-right tabular-nums' : ''} ${isOptional ? OPTIONAL : ''}`}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
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
