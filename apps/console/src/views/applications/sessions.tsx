import type { Application, Session } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Time } from '../../components/time.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { kindOf } from '../activity/labels.ts';
import { SessionState } from '../activity/session-state.tsx';
import { useEndOne } from '../activity/use-end-one.ts';
import { itemsOf } from '../pages.ts';
import { sessionsQuery } from './queries.ts';

function columnsFor(
  application: Application,
  end: ((session: Session) => void) | undefined,
): Column<Session, ReactNode>[] {
  const nameOf = (id: string) =>
    application.integrations.find((integration) => integration.id === id)?.name ?? 'Detached';
  return [
    {
      id: 'integration',
      header: 'Integration',
      cell: ({ integrationId }) => <span className="foreign">{nameOf(integrationId)}</span>,
    },
    { id: 'state', header: 'State', cell: (session) => <SessionState session={session} /> },
    {
      id: 'kind',
      header: 'Kind',
      isOptional: true,
      cell: (session) => (
        <span className="text-ink-2">
          {kindOf(session)}
          {session.userId === null && ', by the application itself'}
        </span>
      ),
    },
    {
      id: 'active',
      header: 'Last used',
      isOptional: true,
      cell: ({ lastActivityAt }) => (
        <span className="text-ink-2">
          <Time at={lastActivityAt} />
        </span>
      ),
    },
    {
      id: 'end',
      header: 'Change',
      align: 'right',
      cell: (session) =>
        end &&
        session.state === 'open' && (
          <Button
            size="small"
            look="plain"
            aria-label={`End the session at ${nameOf(session.integrationId)}`}
            onClick={() => end(session)}
          >
            End
          </Button>
        ),
    },
  ];
}

/** Who uses what through an application, newest first. */
export function Sessions({ application }: { application: Application }) {
  const { id, canModify } = application;
  const query = useInfiniteQuery(sessionsQuery(id));
  const endOne = useEndOne();
  const end = canModify
    ? (session: Session) => endOne({ applicationId: id, ...session })
    : undefined;
  // Members find their own sessions there alone, and here those of everyone.
  const all = useIsAdmin() && (
    <Link to="/activity" search={{ application: id }} className={buttonClass('secondary', 'small')}>
      All sessions of this application
    </Link>
  );
  return (
    <Panel title="Who uses what through it" aside={all}>
      <Load query={query} skeleton={<SkeletonRows />}>
        {(data) => {
          const sessions = itemsOf(data);
          if (sessions.length === 0) {
            return (
              <Empty sentence="There is no session yet. One begins with the first call of a client." />
            );
          }
          return (
            <>
              <DataTable
                caption="Sessions"
                columns={columnsFor(application, end)}
                rows={sessions}
                rowKey={(session) => session.id}
              />
              <MorePages query={query} loaded={sessions.length} of="sessions" />
            </>
          );
        }}
      </Load>
    </Panel>
  );
}
