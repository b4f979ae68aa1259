import { clientTypeLabels } from '@gatehouse/contract';
import type { Application } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { sentenceOf } from '../../api/labels.ts';
import { Load } from '../../components/load.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows, SkeletonText } from '../../components/skeleton.tsx';
import { TabCount, Tabs, tabClass } from '../../components/tabs.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { ApplicationActions } from './actions.tsx';
import { ConnectClient } from './connect-client.tsx';
import { applicationQuery } from './queries.ts';
import { Sessions } from './sessions.tsx';
import type { ApplicationRead } from './use-saving.ts';

// The forms, the one URL and events come with their tab, and figures after what can be copied.
const Attached = lazy(async () => ({ default: (await import('./attached.tsx')).Attached }));
const History = lazy(async () => ({ default: (await import('../log/history.tsx')).History }));
const LastDayPanel = lazy(async () => ({
  default: (await import('../usage/last-day-panel.tsx')).LastDayPanel,
}));
const Settings = lazy(async () => ({ default: (await import('./settings.tsx')).Settings }));

const route = getRouteApi('/applications/$id');

export function ApplicationDetail() {
  const { id } = route.useParams();
  const query = useQuery(applicationQuery(id));
  return (
    <Load isView query={query} skeleton={<SkeletonText lines={4} />}>
      {(read) => <Detail key={id} read={read} />}
    </Load>
  );
}

function Detail({ read }: { read: ApplicationRead }) {
  const { application } = read;
  const isAdmin = useIsAdmin();
  const { tab: wanted = 'client' } = route.useSearch();
  const tab = wanted === 'history' && !isAdmin ? 'client' : wanted;
  const { name, oauth, archivedAt, canModify } = application;
  return (
    <>
      <PageHead
        title={name}
        sentence={
          oauth === null ? 'It has no OAuth client.' : sentenceOf(clientTypeLabels, oauth.type)
        }
        above={{ to: '/applications', label: 'Applications' }}
        actions={<ApplicationActions application={application} />}
      />
      {archivedAt !== null && (
        <p className="mb-4 rounded-6 bg-warn-soft px-4 py-2.5">
          It is archived: nothing can be called through it, and nothing of it can be changed until
          it is restored.
        </p>
      )}
      <ApplicationTabs application={application} chosen={tab} />
      {tab === 'client' && (
        <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1.6fr)_minmax(280px,1fr)]">
          <ConnectClient application={application} />
          <Suspense
            fallback={
              <Panel title="Last 24 hours">
                <SkeletonText />
              </Panel>
            }
          >
            <LastDayPanel title="Last 24 hours" of="application" id={application.id} />
          </Suspense>
        </div>
      )}
      {tab === 'integrations' && (
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <Attached application={application} />
        </Suspense>
      )}
      {tab === 'sessions' && <Sessions application={application} />}
      {tab === 'settings' && (
        <Suspense fallback={<SkeletonText lines={4} />}>
          <Settings read={read} isReadOnly={!canModify} />
        </Suspense>
      )}
      {tab === 'history' && (
        <Suspense fallback={<SkeletonRows rows={4} />}>
          <History of={{ applicationId: application.id }} />
        </Suspense>
      )}
    </>
  );
}

const HISTORY = { tab: 'history', label: 'History', count: undefined } as const;

interface ApplicationTabsProps {
  readonly application: Application;
  readonly chosen: 'client' | 'integrations' | 'sessions' | 'settings' | 'history';
}

function ApplicationTabs({ application, chosen }: ApplicationTabsProps) {
  const { integrations, activeSessionCount, idleSessionCount } = application;
  const tabs = [
    { tab: 'client', label: 'Connect a client', count: undefined },
    { tab: 'integrations', label: 'Integrations', count: integrations.length },
    { tab: 'sessions', label: 'Sessions', count: activeSessionCount + idleSessionCount },
    { tab: 'settings', label: 'Settings', count: undefined },
    ...(useIsAdmin() ? [HISTORY] : []),
  ] as const;
  return (
    <Tabs label="Parts of the application">
      {tabs.map(({ tab, label, count }) => (
        <Link
          key={tab}
          from="/applications/$id"
          search={{ tab: tab === 'client' ? undefined : tab }}
          activeOptions={{ exact: true }}
          aria-current={tab === chosen ? 'page' : 'false'}
          className={tabClass}
        >
          {label}
          <TabCount count={count} />
        </Link>
      ))}
    </Tabs>
  );
}
