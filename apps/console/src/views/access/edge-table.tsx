import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { type Column, sortRows } from '../../components/sort-rows.ts';
import { Time } from '../../components/time.tsx';
import { edgeWords, type GraphEdge, reasonsOf } from './graph.ts';
import { AccessLine } from './line.tsx';
import { type Row, rowsOf } from './rows.ts';
import type { AccessSearch } from './search.ts';
import type { Shown } from './shown.ts';

const COLUMNS: readonly Column<Row, ReactNode>[] = [
  {
    id: 'application',
    header: 'Application',
    sortBy: ({ application }) => application?.name ?? '',
    cell: ({ application, edge }) => <End name={application?.name} edge={edge} />,
  },
  {
    id: 'integration',
    header: 'Integration',
    sortBy: ({ integration }) => integration?.name ?? '',
    cell: ({ integration }) => <End name={integration?.name} edge={undefined} />,
  },
  {
    id: 'access',
    header: 'Access',
    sortBy: ({ edge }) => edge?.access ?? '',
    cell: ({ edge }) =>
      edge === undefined ? (
        <span className="text-ink-3">Not attached</span>
      ) : (
        <AccessLine access={edge.access} words={edgeWords(edge)} />
      ),
  },
  {
    id: 'why',
    header: 'Why not',
    isOptional: true,
    cell: ({ edge }) =>
      edge && <span className="foreign block py-1 text-12 text-ink-2">{reasonsOf(edge)}</span>,
  },
  {
    id: 'attached',
    header: 'Attached',
    align: 'right',
    isOptional: true,
    sortBy: ({ edge }) => edge?.attachedAt ?? '',
    cell: ({ edge }) =>
      edge && (
        <span className="text-ink-2">
          <Time at={edge.attachedAt} />
        </span>
      ),
  },
];

function End({ name, edge }: { name: string | undefined; edge: GraphEdge | undefined }) {
  if (name === undefined) return <span className="text-ink-3">–</span>;
  const text = 'foreign line-clamp-2 max-w-[36ch]';
  if (edge === undefined) return <span className={text}>{name}</span>;
  return (
    <Link
      to="/access"
      search={(search) => ({
        ...search,
        focus: edge.application.id,
        other: edge.integration.id,
        tried: undefined,
      })}
      className={`${text} font-medium after:absolute after:inset-0`}
    >
      {name}
    </Link>
  );
}

/** Rows that are shown at first, and with each press. */
const STEP = 100;

interface EdgeTableProps {
  readonly shown: Shown;
  readonly sort: string | undefined;
  readonly change: (changed: AccessSearch) => void;
}

/** The same facts as the graph: a row for each edge, and for each node without any. */
export function EdgeTable({ shown, sort, change }: EdgeTableProps) {
  const [count, setCount] = useState(STEP);
  const rows = sortRows(rowsOf(shown), COLUMNS, sort);
  return (
    <div className="min-w-0">
      <DataTable
        caption="Who may use what"
        columns={COLUMNS}
        rows={rows.slice(0, count)}
        rowKey={({ id }) => id}
        sort={sort}
        onSort={(value) => change({ sort: value })}
      />
      {rows.length > count && (
        <div className="flex items-center gap-3 border-t border-line px-4 py-2 text-ink-2">
          <span>
            The first {count} of {rows.length.toLocaleString('en')} are shown. Search, filters and
            sorting apply to all.
          </span>
          <Button size="small" className="ml-auto" onClick={() => setCount(count + STEP)}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
