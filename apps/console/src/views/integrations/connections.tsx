import { connectionReasonLabels } from '@gatehouse/contract';
import type { Integration, MemberConnection } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../api/labels.ts';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterToggle } from '../../components/filter-bar.tsx';
import { Logo } from '../../components/logo.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Time } from '../../components/time.tsx';
import { ConnectionStatus, isBroken } from '../connections/state.tsx';
import { LoadedTable } from '../loaded-table.tsx';
import { itemsOf } from '../pages.ts';
import { connectionsQuery } from './queries.ts';

const route = getRouteApi('/integrations/$id');

type Row = MemberConnection & { readonly id: string };

const COLUMNS: readonly Column<Row, ReactNode>[] = [
  {
    id: 'person',
    header: 'Person',
    sortBy: ({ userName }) => userName,
    cell: ({ userName, userEmail }) => (
      <span className="flex min-w-0 items-center gap-2.5 py-1">
        <Logo name={userName} />
        <span className="min-w-0">
          <span className="foreign line-clamp-1 max-w-[44ch] font-medium">{userName}</span>
          <span className="foreign line-clamp-1 text-12 text-ink-3">{userEmail}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: (connection) => (
      <span className="grid">
        <ConnectionStatus connection={connection} />
        {connection.reason !== undefined && (
          <span className="text-12 text-ink-2">
            {sentenceOf(connectionReasonLabels, connection.reason)}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'since',
    header: 'Connected',
    align: 'right',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'renewed',
    header: 'Renewed',
    align: 'right',
    isOptional: true,
    cell: ({ refreshedAt }) => (refreshedAt === null ? '' : <Time at={refreshedAt} />),
  },
];

/** Who has connected an integration, since when, and whether it works. */
export function Connections({ integration: { id, authMode } }: { integration: Integration }) {
  const query = useInfiniteQuery(connectionsQuery(id));
  const { show, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const isBrokenOnly = show === 'broken';
  const change = (changed: ReturnType<typeof route.useSearch>) =>
    navigate({ search: (search) => ({ ...search, ...changed }), replace: true });
  const broken = query.data && itemsOf(query.data).filter(isBroken).length;
  return (
    <Panel>
      <FilterBar>
        <FilterToggle
          isOn={isBrokenOnly}
          onChange={(isOn) => change({ show: isOn ? 'broken' : undefined })}
        >
          To connect again {broken}
        </FilterToggle>
      </FilterBar>
      <LoadedTable
        query={query}
        caption="Connections of people"
        columns={COLUMNS}
        isShown={(row) => !isBrokenOnly || isBroken(row)}
        sort={sort}
        onSort={(value) => change({ sort: value })}
        empty={(isLoaded) => <Empty sentence={isLoaded ? NOTHING_BROKEN : emptyOf(authMode)} />}
        of="connections"
        isSearchOfAll={false}
      />
    </Panel>
  );
}

const NOTHING_BROKEN = 'Every connection works, as far as is known.';

function emptyOf(authMode: Integration['authMode']): string {
  return authMode === 'oauth' || authMode === 'user_token'
    ? 'Nobody has connected it yet. People do so under My connections.'
    : 'Nobody has to connect: it is used without a personal credential.';
}
