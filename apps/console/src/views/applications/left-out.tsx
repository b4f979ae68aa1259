import type { AggregateState } from '@gatehouse/sdk';
import type { ReactNode } from 'react';
import { labelOf } from '../../api/labels.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Mono } from '../../components/pairs.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { leftOutKinds, leftOutReasons } from './aggregate-labels.ts';

interface Row {
  readonly key: string;
  readonly name: string | null;
  readonly kind: string;
  readonly of: string;
  readonly reason: string;
}

const COLUMNS: readonly Column<Row, ReactNode>[] = [
  {
    id: 'name',
    header: 'Left out',
    cell: ({ name, kind, of }) => (
      <span className="grid gap-0.5 py-1.5">
        {name === null ? <span className="text-ink-2">Without a name</span> : <Mono>{name}</Mono>}
        <span className="foreign text-12 text-ink-2">
          {labelOf(leftOutKinds, kind)} of {of}
        </span>
      </span>
    ),
  },
  {
    id: 'why',
    header: 'Why',
    cell: ({ reason }) => <span className="text-ink-2">{labelOf(leftOutReasons, reason)}</span>,
  },
];

interface LeftOutProps {
  readonly leftOut: AggregateState['leftOut'];
  readonly nameOf: (integrationId: string) => string;
}

/** What integrations offer and the one URL does not. */
export function LeftOut({ leftOut, nameOf }: LeftOutProps) {
  const rows = leftOut.map(({ integrationId, name, kind, reason }, index) => ({
    ...{ key: String(index), name, kind, reason },
    of: nameOf(integrationId),
  }));
  return (
    <div className="border-t border-line">
      <DataTable
        caption="What is left out"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ key }) => key}
      />
    </div>
  );
}
