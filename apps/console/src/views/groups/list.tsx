import type { Group } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, SearchField } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Logo } from '../../components/logo.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { hasWords } from '../has-words.ts';
import { LoadedTable } from '../loaded-table.tsx';
import { NothingFound } from '../nothing-found.tsx';
import { timeColumn } from '../time-column.tsx';
import { groupsQuery } from './queries.ts';

const CreateDialog = lazy(async () => ({
  default: (await import('./create-dialog.tsx')).CreateDialog,
}));

const route = getRouteApi('/groups');

const COLUMNS: readonly Column<Group, ReactNode>[] = [
  {
    id: 'name',
    header: 'Group',
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <span className="flex min-w-0 items-center gap-2.5 py-1">
        <Logo name={name} />
        <Link
          to="/groups/$id"
          params={{ id }}
          className="foreign line-clamp-2 max-w-[44ch] font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
      </span>
    ),
  },
  {
    id: 'members',
    header: 'Members chosen by',
    sortBy: ({ externalId }) => (externalId === null ? 0 : 1),
    cell: ({ externalId }) => (
      <span className="text-ink-2">{externalId === null ? 'Admins' : 'Identity provider'}</span>
    ),
  },
  timeColumn({
    id: 'created',
    header: 'Created',
    align: 'right',
    timeOf: ({ createdAt }) => createdAt,
  }),
];

export function Groups() {
  return useIsAdmin() ? <GroupList /> : <AdminsOnly title="Groups" />;
}

function GroupList() {
  const { name, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(groupsQuery);
  const [isCreating, setCreating] = useState(false);
  const change = useCallback(
    (changed: ReturnType<typeof route.useSearch>) =>
      navigate({ search: (search) => ({ ...search, ...changed }), replace: true }),
    [navigate],
  );
  const search = useCallback((text: string) => change({ name: text || undefined }), [change]);
  return (
    <>
      <PageHead
        title="Groups"
        sentence="Teams that policies name instead of each person."
        actions={
          <Button look="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            Create group
          </Button>
        }
      />
      <Panel>
        <FilterBar>
          <SearchField label="Search names" value={name ?? ''} onChange={search} />
        </FilterBar>
        <LoadedTable
          query={query}
          caption="Groups"
          columns={COLUMNS}
          isShown={(group) => hasWords(name, group.name)}
          sort={sort}
          onSort={(value) => change({ sort: value })}
          empty={(isLoaded) => (
            <NoGroups
              isFiltered={isLoaded}
              hasMore={query.hasNextPage}
              create={() => setCreating(true)}
            />
          )}
          of="groups"
          isSearchOfAll={false}
        />
      </Panel>
      <Suspense fallback={null}>
        {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      </Suspense>
    </>
  );
}

interface NoGroupsProps {
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
  readonly create: () => void;
}

function NoGroups({ isFiltered, hasMore, create }: NoGroupsProps) {
  if (isFiltered)
    return <NothingFound sentence="No group has this name." hasMore={hasMore} to="/groups" />;
  return (
    <Empty
      sentence="There is no group yet. A policy that names a group holds for its members."
      action={<Button onClick={create}>Create group</Button>}
    />
  );
}
