import type { SessionsFilter, SessionWithNames } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { useIsAdmin, useMe } from '../../shell/me.ts';
import { ExportButton } from '../export-button.tsx';
import { LoadedTable } from '../loaded-table.tsx';
import { itemsOf } from '../pages.ts';
import { ActivityTabs } from './activity-tabs.tsx';
import { columnsOf } from './columns.tsx';
import { EndAll } from './end-all.tsx';
import { readSessions } from './export.ts';
import { Filters } from './filters.tsx';
import { NoSessions } from './no-sessions.tsx';
import { sessionsQuery } from './queries.ts';
import { filterOf, isFiltered, type SessionsSearch } from './search.ts';
import { useEndOne } from './use-end-one.ts';

const EndDialog = lazy(async () => ({ default: (await import('./end-dialog.tsx')).EndDialog }));

const route = getRouteApi('/activity/');

/** Sessions and credentials that were handed out, of all applications. */
export function Sessions() {
  const isAdmin = useIsAdmin();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = useMemo(() => filterOf(search, isAdmin), [search, isAdmin]);
  const query = useInfiniteQuery(sessionsQuery(filter));
  const [ending, setEnding] = useState<SessionsFilter>();
  const end = useEnd(setEnding);
  const columns = useMemo(() => columnsOf(isAdmin, end), [isAdmin, end]);
  const change = useCallback(
    (changed: SessionsSearch) =>
      navigate({ search: (present) => ({ ...present, ...changed }), replace: true }),
    [navigate],
  );
  return (
    <>
      <PageHead
        title="Activity"
        sentence={
          isAdmin
            ? 'Who uses which integration through which application, now and lately.'
            : 'What you use through which application, now and lately.'
        }
        actions={
          <>
            <ExportButton name="sessions" read={() => readSessions(filter)} />
            <EndAll
              filter={filter}
              isAsked={search.end ?? false}
              onAsk={(isAsked) => change({ end: isAsked || undefined })}
            />
          </>
        }
      />
      <ActivityTabs />
      <Panel>
        <Filters search={search} sessions={query.data ? itemsOf(query.data) : []} change={change} />
        <LoadedTable
          query={query}
          caption="Sessions"
          columns={columns}
          sort={search.sort}
          onSort={(value) => change({ sort: value })}
          empty={() => <NoSessions isFiltered={isFiltered(filter)} hasMore={query.hasNextPage} />}
          of="sessions"
          note="Sorting applies to them, filters to all."
        />
      </Panel>
      <Suspense fallback={null}>
        {ending !== undefined && <EndDialog filter={ending} onClose={() => setEnding(undefined)} />}
      </Suspense>
    </>
  );
}

/** Admins end one session at once. Members may not reach the application, and end all of theirs there. */
function useEnd(ask: (filter: SessionsFilter) => void): (session: SessionWithNames) => void {
  const isAdmin = useIsAdmin();
  const { user } = useMe();
  const endOne = useEndOne();
  return useCallback(
    (session) => {
      const { applicationId, integrationId } = session;
      if (isAdmin) endOne(session);
      else ask({ applicationId, integrationId, userId: user.id });
    },
    [isAdmin, user.id, endOne, ask],
  );
}
