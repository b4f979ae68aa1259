import type { AccessGraphEdge } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { Logo } from '../../components/logo.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { usersQuery } from './queries.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly edge: AccessGraphEdge;
}

const COLUMNS: readonly Column<Row, ReactNode>[] = [
  {
    id: 'name',
    header: 'Application',
    cell: ({ id, name }) => (
      <span className="flex items-center gap-2.5">
        <Logo name={name} />
        <Link
          to="/applications/$id"
          params={{ id }}
          className="foreign line-clamp-1 font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
      </span>
    ),
  },
  {
    id: 'access',
    header: 'For you',
    cell: ({ edge: { policy } }) =>
      policy?.allowed ? (
        <Status tone="ok">Usable</Status>
      ) : (
        <span className="grid">
          <Status tone="warn">Not usable</Status>
          <span className="foreign text-12 text-ink-2">
            {policy?.reasons.map(({ message }) => message).join(' ')}
          </span>
        </span>
      ),
  },
  {
    id: 'attached',
    header: 'Attached',
    align: 'right',
    isOptional: true,
    cell: ({ edge: { attachedAt } }) => <Time at={attachedAt} />,
  },
];

/** The applications that an integration is attached to, and whether they can use it. */
export function UsedBy({ integrationId }: { integrationId: string }) {
  const query = useQuery(usersQuery(integrationId));
  return (
    <Panel title="Applications that use it" aside={<ItsSessions integrationId={integrationId} />}>
      <Load query={query} skeleton={<SkeletonRows rows={3} />}>
        {({ applications, edges }) => {
          const rows = edges.flatMap((edge) => {
            const application = applications.find(({ id }) => id === edge.applicationId);
            return application ? [{ ...application, edge }] : [];
          });
          return rows.length === 0 ? (
            <Empty sentence="No application uses it. Attach it in the view of an application." />
          ) : (
            <DataTable
              caption="Applications that use it"
              columns={COLUMNS}
              rows={rows}
              rowKey={({ id }) => id}
            />
          );
        }}
      </Load>
    </Panel>
  );
}

function ItsSessions({ integrationId }: { integrationId: string }) {
  return (
    <Link
      to="/activity"
      search={{ integration: integrationId }}
      className={buttonClass('secondary', 'small')}
    >
      Sessions of this integration
    </Link>
  );
}
