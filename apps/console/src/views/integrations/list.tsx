import {
  authModeLabels,
  integrationCategoryLabels,
  validationStatusLabels,
} from '@gatehouse/contract';
import type { Integration } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { optionsOf } from '../../api/keys-of.ts';
import { labelOf } from '../../api/labels.ts';
import { buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterToggle, SearchField } from '../../components/filter-bar.tsx';
import { FilterChoice } from '../../components/filter-choice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Logo } from '../../components/logo.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Time } from '../../components/time.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { LoadedTable } from '../loaded-table.tsx';
import { NothingFound } from '../nothing-found.tsx';
import { itemsOf } from '../pages.ts';
import { lastDayColumns, useLastDays } from '../usage/last-days.tsx';
import { integrationsQuery } from './queries.ts';
import { hostOf, IntegrationStatus } from './status.tsx';

const route = getRouteApi('/integrations');

type IntegrationColumn = Column<Integration, React.ReactNode>;

const COLUMNS: readonly IntegrationColumn[] = [
  {
    id: 'name',
    header: 'Integration',
    sortBy: ({ name }) => name,
    cell: ({ id, name, url }) => (
      <span className="flex min-w-0 items-center gap-2.5 py-1">
        <Logo name={name} />
        <span className="min-w-0 wide:min-w-[20ch]">
          <Link
            to="/integrations/$id"
            params={{ id }}
            className="foreign line-clamp-1 max-w-[44ch] font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
          <span className="foreign line-clamp-1 text-12 text-ink-3">{hostOf(url)}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    sortBy: ({ validationStatus }) => labelOf(validationStatusLabels, validationStatus),
    cell: (integration) => <IntegrationStatus integration={integration} />,
  },
  {
    id: 'mode',
    header: 'Connect by',
    isOptional: true,
    sortBy: ({ authMode }) => labelOf(authModeLabels, authMode),
    cell: ({ authMode, category }) => (
      <span className="whitespace-nowrap text-ink-2">
        {labelOf(authModeLabels, authMode)}
        {category === 'internal_mcp_credentials' &&
          `, ${labelOf(integrationCategoryLabels, category).toLowerCase()}`}
      </span>
    ),
  },
  {
    id: 'people',
    header: 'Connected',
    align: 'right',
    isOptional: true,
    sortBy: ({ connectionCount }) => connectionCount ?? -1,
    cell: ({ connectionCount }) => (
      <span className="tabular-nums text-ink-2">
        {connectionCount?.toLocaleString('en') ?? '–'}
      </span>
    ),
  },
];

const LAST_COLUMNS: readonly IntegrationColumn[] = [
  {
    id: 'found',
    header: 'What was found',
    isOptional: true,
    cell: ({ validationMessage }) => (
      <span className="foreign line-clamp-1 min-w-[16ch] max-w-[64ch] text-ink-2">
        {validationMessage ?? '–'}
      </span>
    ),
  },
  {
    id: 'validated',
    header: 'Validated',
    align: 'right',
    isOptional: true,
    sortBy: ({ lastValidatedAt }) => lastValidatedAt ?? '',
    cell: ({ lastValidatedAt }) => (
      <span className="text-ink-2">
        {lastValidatedAt === undefined ? '–' : <Time at={lastValidatedAt} />}
      </span>
    ),
  },
];

/** Who has connected what is for admins. */
function columnsOf(isAdmin: boolean, days: ReturnType<typeof useLastDays>) {
  const first = isAdmin ? COLUMNS : COLUMNS.filter(({ id }) => id !== 'people');
  const calls = lastDayColumns<Integration>(days, isAdmin ? 'Calls, 24 h' : 'Your calls, 24 h');
  return [...first, ...calls, ...LAST_COLUMNS];
}

export function Integrations() {
  const isAdmin = useIsAdmin();
  const { name, status, mode, archived, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(integrationsQuery({ name, includeArchived: archived }));
  const days = useLastDays(
    'integration',
    query.data === undefined ? [] : itemsOf(query.data).map(({ id }) => id),
  );
  const columns = useMemo(() => columnsOf(isAdmin, days), [isAdmin, days]);
  const change = useCallback(
    (changed: ReturnType<typeof route.useSearch>) =>
      navigate({ search: (search) => ({ ...search, ...changed }), replace: true }),
    [navigate],
  );
  const search = useCallback((text: string) => change({ name: text || undefined }), [change]);
  const isFiltered = name !== undefined || status !== undefined || mode !== undefined;
  return (
    <>
      <PageHead
        title="Integrations"
        sentence="MCP servers and credentials that applications may use."
        actions={isAdmin && <AddLink look="primary" />}
      />
      <Panel>
        <FilterBar>
          <SearchField label="Search names" value={name ?? ''} onChange={search} />
          <FilterChoice
            label="Status"
            value={status}
            options={optionsOf(validationStatusLabels)}
            onChange={(value) => change({ status: value })}
          />
          <FilterChoice
            label="Connect by"
            value={mode}
            options={optionsOf(authModeLabels)}
            onChange={(value) => change({ mode: value })}
          />
          <FilterToggle
            isOn={archived ?? false}
            onChange={(isOn) => change({ archived: isOn || undefined })}
          >
            Archived too
          </FilterToggle>
        </FilterBar>
        <LoadedTable
          query={query}
          caption="Integrations"
          columns={columns}
          isShown={({ validationStatus, authMode }) =>
            (status === undefined || validationStatus === status) &&
            (mode === undefined || authMode === mode)
          }
          sort={sort}
          onSort={(value) => change({ sort: value })}
          empty={() => <NoIntegrations isFiltered={isFiltered} hasMore={query.hasNextPage} />}
          of="integrations"
        />
      </Panel>
    </>
  );
}

function AddLink({ look }: { look: 'primary' | 'secondary' }) {
  return (
    <Link to="/integrations/new" className={buttonClass(look)}>
      <Icon name="plus" />
      Add integration
    </Link>
  );
}

interface NoIntegrationsProps {
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
}

function NoIntegrations({ isFiltered, hasMore }: NoIntegrationsProps) {
  const isAdmin = useIsAdmin();
  if (isFiltered)
    return (
      <NothingFound
        sentence="No integration matches these filters."
        hasMore={hasMore}
        to="/integrations"
      />
    );
  return (
    <Empty
      sentence="There is no integration yet. It begins with the URL of an MCP server."
      action={isAdmin && <AddLink look="secondary" />}
    />
  );
}
