import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { Actions } from './actions.tsx';
import { EdgeTable } from './edge-table.tsx';
import { Filters } from './filters.tsx';
import type { Graph } from './graph.ts';
import { GraphView } from './graph-view.tsx';
import { accessGraphQuery, type Whom, whomOf } from './queries.ts';
import type { AccessSearch } from './search.ts';
import { isTall, shownOf } from './shown.ts';
import { Side } from './side.tsx';
import { useLayout } from './use-layout.ts';

const route = getRouteApi('/access');

export function Access() {
  return useIsAdmin() ? <AccessView /> : <AdminsOnly title="Access" />;
}

function AccessView() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { forUserId, forGroup, forRole } = search;
  const whom = useMemo(
    () => whomOf({ forUserId, forGroup, forRole }),
    [forUserId, forGroup, forRole],
  );
  const query = useQuery(accessGraphQuery(whom));
  const graph = useLayout(query.data);
  const change = useCallback(
    (changed: AccessSearch) =>
      navigate({
        search: (present) => ({ ...present, ...changed }),
        // What is looked at is a place to come back to; what is typed is not.
        replace: !('focus' in changed || 'other' in changed || 'view' in changed),
      }),
    [navigate],
  );
  return (
    <>
      <PageHead
        title="Access"
        sentence="Which application reaches which integration, for whom, and why."
        actions={<Actions graph={graph} search={search} whom={whom} change={change} />}
      />
      <Panel>
        <Filters graph={graph} search={search} whom={whom} change={change} />
        <Load query={query} skeleton={<SkeletonRows />}>
          {() =>
            graph === undefined ? (
              <SkeletonRows />
            ) : (
              <Loaded graph={graph} search={search} whom={whom} change={change} />
            )
          }
        </Load>
      </Panel>
    </>
  );
}

interface LoadedProps {
  readonly graph: Graph;
  readonly search: AccessSearch;
  readonly whom: Whom;
  readonly change: (changed: AccessSearch) => void;
}

function Loaded({ graph, search, whom, change }: LoadedProps) {
  const shown = useMemo(() => shownOf(graph, search), [graph, search]);
  const rows = shown.applications.length + shown.integrations.length;
  const isBeside = search.focus !== undefined;
  return (
    <>
      {graph.isPartial && (
        <p className="border-b border-line bg-warn-soft px-4 py-2">
          There are more applications than are shown: these are the newest. The view of an
          application or integration shows all of its own.
        </p>
      )}
      <div className={`grid ${isBeside ? 'wide:grid-cols-[minmax(0,1fr)_340px]' : ''}`}>
        {rows === 0 ? (
          <Nothing isFiltered={graph.applications.length + graph.integrations.length > 0} />
        ) : search.view === 'table' ? (
          <EdgeTable shown={shown} sort={search.sort} change={change} />
        ) : (
          <GraphView
            shown={shown}
            isTried={search.tried ?? false}
            isNarrowing={isTall(graph)}
            change={change}
          />
        )}
        <Side graph={graph} shown={shown} search={search} whom={whom} change={change} />
      </div>
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty
      sentence={
        isFiltered
          ? 'No edge matches these filters.'
          : 'There is no application and no integration yet, so nobody can use anything.'
      }
    />
  );
}
