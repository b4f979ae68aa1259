import type { Installation, InstallationNode } from '@gatehouse/sdk';
import type { ReactNode } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Tag } from '../../components/pairs.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { olderNodes } from './older-nodes.ts';
import { ChangedBy } from './setting.tsx';

function columnsOf(
  older: readonly InstallationNode[],
): readonly Column<InstallationNode, ReactNode>[] {
  return [
    {
      id: 'name',
      header: 'Node',
      cell: ({ name, answering }) => (
        <span className="flex flex-wrap items-center gap-2 py-1">
          <span className="foreign font-mono text-12">{name}</span>
          {answering && <Tag>answers you</Tag>}
        </span>
      ),
    },
    {
      id: 'version',
      header: 'Version',
      cell: (node) =>
        older.includes(node) ? (
          <Status tone="warn">{node.version}, older</Status>
        ) : (
          <span className="foreign tabular-nums">{node.version}</span>
        ),
    },
    {
      id: 'started',
      header: 'Started',
      align: 'right',
      isOptional: true,
      cell: ({ startedAt }) => <Time at={startedAt} />,
    },
    {
      id: 'seen',
      header: 'Last seen',
      align: 'right',
      cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
    },
  ];
}

export function Nodes({ installation: { nodes, settings } }: { installation: Installation }) {
  const { older } = olderNodes(nodes);
  return (
    <Panel title="Nodes" aside={<ChangedBy settings={settings} of="nodes" what="Nodes" />}>
      {nodes.length === 0 ? (
        <Empty sentence="No node has reported in the last minute." />
      ) : (
        <DataTable
          caption="Nodes"
          columns={columnsOf(older)}
          rows={nodes}
          rowKey={({ id }) => id}
        />
      )}
    </Panel>
  );
}
