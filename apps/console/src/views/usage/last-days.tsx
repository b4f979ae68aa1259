import { limits } from '@gatehouse/contract';
import type { UsageSeries } from '@gatehouse/sdk';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Bars } from '../../components/bars.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Time } from '../../components/time.tsx';
import { barsOf } from './counts.ts';
import { type UsageRead, usageQuery } from './queries.ts';

interface LastDays {
  readonly series: ReadonlyMap<string, UsageSeries>;
  /** Whether what has no series had no calls. */
  readonly isComplete: boolean;
}

/** The last 24 hours of integrations or applications by their ids: one request for as many of them as a page has. */
export function useLastDays(
  groupBy: 'integration' | 'application',
  ids: readonly string[],
): LastDays {
  const pages = Array.from({ length: Math.ceil(ids.length / limits.usageIds) }, (_, page) =>
    ids.slice(page * limits.usageIds, (page + 1) * limits.usageIds).join(','),
  );
  return useQueries({
    queries: pages.map((page) =>
      usageQuery({ hasMinutes: false, [`${groupBy}Id` as const]: page }, groupBy),
    ),
    combine: byId,
  });
}

function byId(reads: readonly { readonly data: UsageRead | undefined }[]): LastDays {
  const series = reads.flatMap(({ data }) => data?.series ?? []);
  return {
    series: new Map(series.map((each) => [each.key ?? '', each])),
    isComplete: reads.every(({ data }) => data !== undefined),
  };
}

/** The same as columns of a list. Cells are empty until it is known that there were no calls. */
export function lastDayColumns<Row extends { readonly id: string }>(
  { series, isComplete }: LastDays,
  header: string,
): readonly Column<Row, ReactNode>[] {
  const none = isComplete ? '–' : '';
  const callsOf = ({ id }: Row) => series.get(id)?.total.calls ?? 0;
  const lastErrorOf = ({ id }: Row) => series.get(id)?.total.lastErrorAt ?? '';
  return [
    {
      id: 'calls',
      header,
      align: 'right',
      isOptional: true,
      sortBy: callsOf,
      cell: (row) => {
        const day = series.get(row.id);
        if (day === undefined) return <span className="text-ink-3">{none}</span>;
        return (
          <span className="flex items-center justify-end gap-2">
            <Bars bars={barsOf(day.points)} className="h-5 w-20" />
            <span className="min-w-[5ch]">{callsOf(row).toLocaleString('en')}</span>
          </span>
        );
      },
    },
    {
      id: 'last-error',
      header: 'Last error',
      align: 'right',
      isOptional: true,
      sortBy: lastErrorOf,
      cell: (row) => (
        <span className="text-ink-2">
          {lastErrorOf(row) === '' ? none : <Time at={lastErrorOf(row)} />}
        </span>
      ),
    },
  ];
}
