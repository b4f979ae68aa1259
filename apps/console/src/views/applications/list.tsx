import { clientTypeLabels } from '@gatehouse/contract';
import type { Application } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { labelOf } from '../../api/labels.ts';
import { buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterToggle } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Logo } from '../../components/logo.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Status } from '../../components/status.tsx';
import { isolated, WithNames } from '../../components/with-names.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { LoadedTable } from '../loaded-table.tsx';
import { itemsOf } from '../pages.ts';
import { timeColumn } from '../time-column.tsx';
import { lastDayColumns, useLastDays } from '../usage/last-days.tsx';
import { applicationsQuery } from './queries.ts';

const route = getRouteApi('/applications');
const words = new Intl.ListFormat('en', { type: 'unit' });

const COLUMNS: readonly Column<Application, ReactNode>[] = [
  {
    id: 'name',
    header: 'Application',
    sortBy: ({ name }) => name,
    cell: ({ id, name, oauth }) => (
      <span className="flex min-w-0 items-center gap-2.5 py-1">
        <Logo name={name} />
        <span className="min-w-0">
          <Link
            to="/applications/$id"
            params={{ id }}
            className="foreign line-clamp-1 max-w-[44ch] font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
          <span className="block text-12 text-ink-3">
            {oauth === null ? '–' : labelOf(clientTypeLabels, oauth.type)}
          </span>
        </span>
      </span>
    ),
  },
  {
    id: 'use',
    header: 'Use now',
    sortBy: ({ activeSessionCount, idleSessionCount }) =>
      activeSessionCount * 1e6 + idleSessionCount,
    cell: (application) => <Use application={application} />,
  },
  {
    id: 'integrations',
    header: 'Integrations',
    isOptional: true,
    sortBy: ({ integrations }) => integrations.length,
    cell: ({ integrations }) => (
      <span className="foreign line-clamp-1 max-w-[52ch] text-ink-2">
        {integrations.length === 0 ? (
          '–'
        ) : (
          <WithNames text={words.format(integrations.map(({ name }) => isolated(name)))} />
        )}
      </span>
    ),
  },
];

const LAST_COLUMNS: readonly Column<Application, ReactNode>[] = [
  {
    id: 'sessions',
    header: 'Sessions in total',
    align: 'right',
    isOptional: true,
    sortBy: ({ totalSessionCount }) => totalSessionCount,
    cell: ({ totalSessionCount }) => totalSessionCount.toLocaleString('en'),
  },
  timeColumn({
    id: 'created',
    header: 'Made',
    align: 'right',
    timeOf: ({ createdAt }) => createdAt,
  }),
];

function Use({ application }: { application: Application }) {
  const { archivedAt, activeSessionCount, idleSessionCount } = application;
  if (archivedAt !== null) return <Status tone="idle">Archived</Status>;
  if (activeSessionCount > 0) return <Status tone="ok">{activeSessionCount} active</Status>;
  if (idleSessionCount > 0) return <Status tone="idle">{idleSessionCount} idle</Status>;
  return <span className="text-ink-3">No sessions</span>;
}

function AddLink({ look }: { look: 'primary' | 'secondary' }) {
  return (
    <Link to="/applications/new" className={buttonClass(look)}>
      <Icon name="plus" />
      Add application
    </Link>
  );
}

export function Applications() {
  const isAdmin = useIsAdmin();
  const { all, archived, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const isAll = isAdmin && all === true;
  const query = useInfiniteQuery(
    applicationsQuery({ all: isAll || undefined, includeArchived: archived }),
  );
  const days = useLastDays(
    'application',
    query.data === undefined ? [] : itemsOf(query.data).map(({ id }) => id),
  );
  const columns = useMemo(
    () => [...COLUMNS, ...lastDayColumns<Application>(days, 'Calls, 24 h'), ...LAST_COLUMNS],
    [days],
  );
  const change = (changed: ReturnType<typeof route.useSearch>) =>
    navigate({ search: (search) => ({ ...search, ...changed }), replace: true });
  return (
    <>
      <PageHead
        title="Applications"
        sentence="Programs that may call: Claude, Cursor, or your own. Each reaches the integrations that are attached to it."
        actions={<AddLink look="primary" />}
      />
      <Panel>
        <FilterBar>
          {isAdmin && (
            <FilterToggle isOn={isAll} onChange={(isOn) => change({ all: isOn || undefined })}>
              Of everyone
            </FilterToggle>
          )}
          <FilterToggle
            isOn={archived ?? false}
            onChange={(isOn) => change({ archived: isOn || undefined })}
          >
            Archived too
          </FilterToggle>
        </FilterBar>
        <LoadedTable
          query={query}
          caption="Applications"
          columns={columns}
          sort={sort}
          onSort={(value) => change({ sort: value })}
          empty={() => (
            <Empty
              sentence="There is no application yet. Make one for the client that you use."
              action={<AddLink look="secondary" />}
            />
          )}
          of="applications"
        />
      </Panel>
    </>
  );
}
