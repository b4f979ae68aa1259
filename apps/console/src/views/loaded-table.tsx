import type { InfiniteData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DataTable } from '../components/data-table.tsx';
import { Load } from '../components/load.tsx';
import { MorePages } from '../components/more-pages.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import type { Column } from '../components/sort-rows.ts';
import { itemsOf, type ListPage } from './pages.ts';

/** What this needs of an infinite query. */
interface ListQuery<Row> {
  readonly data: InfiniteData<ListPage<Row>> | undefined;
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface LoadedTableProps<Row> {
  readonly query: ListQuery<Row>;
  readonly caption: string;
  readonly columns: readonly Column<Row, ReactNode>[];
  /** Which of the loaded rows are shown; default all. */
  readonly isShown?: (row: Row) => boolean;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  /** In place of the table where no row is shown. @param isLoaded whether there are rows that the filters hide */
  readonly empty: (isLoaded: boolean) => ReactNode;
  /** What the rows are, in the plural. */
  readonly of: string;
  readonly isSearchOfAll?: boolean;
  /** Below the table while there are more pages, in place of what searches find. */
  readonly note?: string;
}

/** The pages of a list that are loaded, as one table. */
export function LoadedTable<Row extends { readonly id: string }>(props: LoadedTableProps<Row>) {
  const { query, isShown = () => true, empty, of, isSearchOfAll = true, note, ...table } = props;
  return (
    <Load query={query} skeleton={<SkeletonRows />}>
      {(data) => {
        const loaded = itemsOf(data);
        const rows = loaded.filter(isShown);
        return (
          <>
            {rows.length > 0 ? (
              <DataTable {...table} rows={rows} rowKey={({ id }) => id} />
            ) : (
              empty(loaded.length > 0)
            )}
            <MorePages
              query={query}
              loaded={loaded.length}
              of={of}
              isSearchOfAll={isSearchOfAll}
              note={note}
              isAutomatic={rows.length === loaded.length}
            />
          </>
        );
      }}
    </Load>
  );
}
