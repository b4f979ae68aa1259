import { sessionStateLabels } from '@gatehouse/contract';
import type { Application, Session } from '@gatehouse/sdk';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { labelOf } from '../../api/labels.ts';
import { say, sayProblem } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { itemsOf } from '../pages.ts';
import { sessionsQuery } from './queries.ts';

const ERAS: Readonly<Record<string, string>> = {
  legacy: 'MCP up to 2025-11-25',
  modern: 'MCP 2026-07-28',
};

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
    { id: 'state', header: 'State', cell: (session) => <State session={session} /> },
    {
      id: 'kind',
      header: 'Kind',
      isOptional: true,
      cell: ({ kind, era, userId }) => (
        <span className="text-ink-2">
          {kind === 'lease' ? 'Credential handed out' : labelOf(ERAS, era)}
          {userId === null && ', by the application itself'}
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

function State({ session: { state, live } }: { session: Session }) {
  if (state === 'open') return <Status tone="ok">{live ? 'Open, in use' : 'Open'}</Status>;
  return <Status tone="idle">{labelOf(sessionStateLabels, state)}</Status>;
}

/** Who uses what through an application, newest first. */
export function Sessions({ application }: { application: Application }) {
  const { id, canModify } = application;
  const query = useInfiniteQuery(sessionsQuery(id));
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: (session: Session) => gatehouse.applications.sessions.revoke(id, session.id),
    onSuccess: () => say('The session is ended. Its client has to begin again.'),
    onError: (error) => sayProblem('The session goes on.', error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['applications'] }),
  });
  return (
    <Panel>
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
                columns={columnsFor(application, canModify ? end.mutate : undefined)}
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
