import type { ReactNode } from 'react';
import type { Column } from '../components/sort-rows.ts';
import { Time } from '../components/time.tsx';

interface TimeColumnOptions<Row> {
  readonly id: string;
  readonly header: string;
  readonly align?: 'right';
  readonly timeOf: (row: Row) => string;
}

/** When something happened. It is left out where there is little room. */
export function timeColumn<Row>({
  timeOf,
  ...column
}: TimeColumnOptions<Row>): Column<Row, ReactNode> {
  return {
    ...column,
    isOptional: true,
    sortBy: timeOf,
    cell: (row) => (
      <span className="text-ink-2">
        <Time at={timeOf(row)} />
      </span>
    ),
  };
}
