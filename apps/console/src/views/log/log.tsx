import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterToggle } from '../../components/filter-bar.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { ActivityTabs } from '../activity/activity-tabs.tsx';
import { NothingFound } from '../nothing-found.tsx';
import { EventPanel } from './event-panel.tsx';
import { Events } from './events.tsx';
import { Filters } from './filters.tsx';
import { filterOf, isFiltered, type LogSearch } from './search.ts';
import { useIsAtTop } from './use-is-at-top.ts';
import { Verification } from './verification.tsx';

const ExportDialog = lazy(async () => ({
  default: (await import('./export-dialog.tsx')).ExportDialog,
}));

const route = getRouteApi('/activity/log');

export function Log() {
  return useIsAdmin() ? <LogView /> : <AdminsOnly title="Log" />;
}

function LogView() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = useMemo(() => filterOf(search), [search]);
  const [isWanted, setWanted] = useState(true);
  const isAtTop = useIsAtTop();
  const [isExporting, setExporting] = useState(false);
  const { event, from, to } = search;
  const change = useCallback(
    (changed: LogSearch) =>
      navigate({ search: (present) => ({ ...present, ...changed }), replace: true }),
    [navigate],
  );
  const isBeside = event !== undefined;
  return (
    <>
      <PageHead
        title="Activity"
        sentence="Every change and every call, and whether all of it is there."
        actions={<Button onClick={() => setExporting(true)}>Export…</Button>}
      />
      <ActivityTabs />
      <Panel>
        <Verification />
        <Filters search={search} change={change} />
        {to === undefined && (
          <Following isWanted={isWanted} isAtTop={isAtTop} onChange={setWanted} />
        )}
        <div className={`grid ${isBeside ? 'wide:grid-cols-[minmax(0,1fr)_360px]' : ''}`}>
          <div className="min-w-0 max-wide:order-last">
            <Events
              key={JSON.stringify(filter)}
              filter={filter}
              isFollowing={to === undefined && isWanted && isAtTop}
              isBeside={isBeside}
              empty={<NoEvents isFiltered={isFiltered(filter)} />}
            />
          </div>
          {event !== undefined && (
            <EventPanel id={event} filter={filter} onClose={() => change({ event: undefined })} />
          )}
        </div>
      </Panel>
      <Suspense fallback={null}>
        {isExporting && <ExportDialog span={{ from, to }} onClose={() => setExporting(false)} />}
      </Suspense>
    </>
  );
}

function NoEvents({ isFiltered: isNarrowed }: { isFiltered: boolean }) {
  if (isNarrowed)
    return <NothingFound sentence="No event matches these filters." to="/activity/log" />;
  return <Empty sentence="Nothing has happened yet." />;
}

interface FollowingProps {
  readonly isWanted: boolean;
  readonly isAtTop: boolean;
  readonly onChange: (isWanted: boolean) => void;
}

/** Whether new events come by themselves. */
function Following({ isWanted, isAtTop, onChange }: FollowingProps) {
  const sentence = isAtTop
    ? 'New events appear automatically.'
    : 'New events wait until you are back at the top.';
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line py-2 pr-3 pl-4 text-ink-2">
      <FilterToggle isOn={isWanted} onChange={onChange}>
        Follow
      </FilterToggle>
      <span role="status">{isWanted ? sentence : 'New events are not loaded.'}</span>
    </div>
  );
}
