import { usageSeriesFor } from '@gatehouse/contract';
import { useQuery } from '@tanstack/react-query';
import { DataTable } from '../../components/data-table.tsx';
import { Load } from '../../components/load.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { columnsOf } from './columns.tsx';
import { type Rows, rowLabels } from './labels.ts';
import { useSeriesNames } from './names.ts';
import { type UsageAsked, type UsageRead, usageQuery } from './queries.ts';
import { rowsOf } from './rows.ts';
import { spanOf } from './span.ts';

interface UsageTableProps {
  readonly asked: UsageAsked;
  readonly rows: Rows;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

/** The numbers of the pictures, in one row for each of what was chosen. */
export function UsageTable({ asked, rows, sort, onSort }: UsageTableProps) {
  const query = useQuery(usageQuery(asked, groupingOf(rows)));
  const nameOf = useSeriesNames(rows);
  return (
    <Panel>
      <Load query={query} skeleton={<SkeletonRows />}>
        {(read) => (
          <>
            <DataTable
              caption={`${rowLabels[rows]} with their calls`}
              columns={columnsOf(rows)}
              rows={rowsOf(read, rows, nameOf)}
              rowKey={({ id }) => id}
              sort={sort}
              onSort={onSort}
            />
            <Notes asked={asked} rows={rows} read={read} />
          </>
        )}
      </Load>
    </Panel>
  );
}

/** Without it, the service gives one series for everything. */
export function groupingOf(rows: Rows) {
  return rows === 'time' ? undefined : rows;
}

interface NotesProps {
  readonly asked: UsageAsked;
  readonly rows: Rows;
  readonly read: UsageRead;
}

/** What the rows leave out, because it is not kept. */
function Notes({ asked, rows, read: { step, series } }: NotesProps) {
  const most = usageSeriesFor(series[0]?.points.length ?? 1);
  const wouldBeMinutes = spanOf(asked, true, Date.now()).step === 'minute';
  const notes = [
    rows === 'outcome' && 'How long calls took is not kept by outcome.',
    rows === 'tool' && 'Calls without a tool are left out.',
    wouldBeMinutes &&
      step === 'hour' &&
      'Minutes are not kept by tool or person: these are whole hours.',
    rows !== 'time' && series.length === most && `These are the ${most} with the most calls.`,
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return <p className="border-t border-line px-4 py-2 text-ink-2">{notes.join(' ')}</p>;
}
