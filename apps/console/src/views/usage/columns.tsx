import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Bars } from '../../components/bars.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Time } from '../../components/time.tsx';
import { badText, durationsText } from './counts.ts';
import { durationText, type Rows } from './labels.ts';
import type { UsageRow } from './rows.ts';

type UsageColumn = Column<UsageRow, ReactNode>;

const HEADERS: Readonly<Record<Rows, string>> = {
  integration: 'Integration',
  application: 'Application',
  person: 'Person',
  tool: 'Tool',
  outcome: 'Outcome',
  time: 'From',
};

/** Where there is little room, it also says what the other columns have. */
function nameColumn(rows: Rows): UsageColumn {
  return {
    id: 'name',
    header: HEADERS[rows],
    sortBy: rows === 'time' ? ({ id }) => id : ({ name }) => name,
    cell: (row) => (
      <span className="grid py-1">
        <Name row={row} rows={rows} />
        {rows !== 'outcome' && (
          <span className="text-12 text-ink-3 wide:hidden">
            {[badText(row.total), durationsText(row.total)].filter(Boolean).join('. ')}
          </span>
        )}
      </span>
    ),
  };
}

/** What can be looked at alone is a link to that. */
function Name({ row: { id, name }, rows }: { row: UsageRow; rows: Rows }) {
  const classes = 'foreign line-clamp-1 max-w-[40ch] font-medium';
  if (rows !== 'integration' && rows !== 'application') {
    return <span className={classes}>{name}</span>;
  }
  return (
    <Link
      from="/activity/usage"
      search={(search) => ({ ...search, [rows]: id, rows: 'tool', sort: undefined })}
      className={`${classes} hover:underline`}
    >
      {name}
    </Link>
  );
}

const BY_TIME: UsageColumn = {
  id: 'by-time',
  header: 'By time',
  isOptional: true,
  cell: ({ bars }) => <Bars bars={bars} className="h-5 w-24" />,
};

const CALLS: UsageColumn = counts('calls', 'Calls', ({ calls }) => calls);

const OTHERS: readonly UsageColumn[] = [
  counts('refused', 'Refused', ({ refusals }) => refusals, true),
  counts('errors', 'Failed here', ({ errors }) => errors, true),
  counts('upstream', 'Failed upstream', ({ upstreamErrors }) => upstreamErrors, true),
  duration('median', 'Median', ({ p50 }) => p50),
  duration('p95', 'p95', ({ p95 }) => p95),
  duration('p99', 'p99', ({ p99 }) => p99),
  {
    id: 'last-error',
    header: 'Last error',
    align: 'right',
    isOptional: true,
    sortBy: ({ total }) => total.lastErrorAt ?? '',
    cell: ({ total: { lastErrorAt } }) => (
      <span className="text-ink-2">{lastErrorAt === null ? '–' : <Time at={lastErrorAt} />}</span>
    ),
  },
];

function counts(
  id: string,
  header: string,
  countOf: (total: UsageRow['total']) => number,
  isOptional = false,
): UsageColumn {
  return {
    id,
    header,
    align: 'right',
    isOptional,
    sortBy: ({ total }) => countOf(total),
    cell: ({ total }) => countOf(total).toLocaleString('en'),
  };
}

function duration(
  id: string,
  header: string,
  of: (total: UsageRow['total']) => number | null,
): UsageColumn {
  return {
    id,
    header,
    align: 'right',
    isOptional: true,
    sortBy: ({ total }) => of(total) ?? -1,
    cell: ({ total }) => <span className="whitespace-nowrap">{durationText(of(total))}</span>,
  };
}

/** By outcome, only calls are kept. */
export function columnsOf(rows: Rows): readonly UsageColumn[] {
  if (rows === 'time') return [nameColumn(rows), CALLS, ...OTHERS];
  return [nameColumn(rows), BY_TIME, CALLS, ...(rows === 'outcome' ? [] : OTHERS)];
}
