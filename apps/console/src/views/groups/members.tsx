import { memberRoleLabels } from '@gatehouse/contract';
import type { Group, Member } from '@gatehouse/sdk';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { labelOf } from '../../api/labels.ts';
import { say, sayProblem } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, SearchField } from '../../components/filter-bar.tsx';
import { Load } from '../../components/load.tsx';
import { Logo } from '../../components/logo.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { hasWords } from '../has-words.ts';
import { itemsOf } from '../pages.ts';
import { AddDialog } from './add-dialog.tsx';
import { groupMembersQuery } from './queries.ts';

const route = getRouteApi('/groups/$id');

/** @param onRemove undefined where the provider decides */
function columnsOf(onRemove?: (member: Member) => void): readonly Column<Member, ReactNode>[] {
  const columns: readonly Column<Member, ReactNode>[] = [
    {
      id: 'name',
      header: 'Person',
      sortBy: ({ name }) => name,
      cell: ({ name, email }) => (
        <span className="flex min-w-0 items-center gap-2.5 py-1">
          <Logo name={name} />
          <span className="min-w-0">
            <span className="foreign line-clamp-1 max-w-[44ch] font-medium">{name}</span>
            <span className="foreign line-clamp-1 text-12 text-ink-3">{email}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      isOptional: true,
      sortBy: ({ role }) => labelOf(memberRoleLabels, role),
      cell: ({ role }) => labelOf(memberRoleLabels, role),
    },
  ];
  if (onRemove === undefined) return columns;
  return [
    ...columns,
    {
      id: 'remove',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'right',
      cell: (member) => (
        <Button size="small" aria-label={`Remove ${member.name}`} onClick={() => onRemove(member)}>
          Remove
        </Button>
      ),
    },
  ];
}

interface GroupMembersProps {
  readonly group: Group;
  readonly isAdding: boolean;
  readonly onAdd: (what: 'add') => void;
  readonly onAdded: () => void;
}

export function GroupMembers({ group, isAdding, onAdd, onAdded }: GroupMembersProps) {
  const { id, externalId } = group;
  const isByHand = externalId === null;
  const { find, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(groupMembersQuery(id));
  const remove = useRemoval(group);
  const columns = useMemo(() => columnsOf(isByHand ? remove : undefined), [isByHand, remove]);
  const change = useCallback(
    (changed: ReturnType<typeof route.useSearch>) =>
      navigate({ search: (search) => ({ ...search, ...changed }), replace: true }),
    [navigate],
  );
  const search = useCallback((text: string) => change({ find: text || undefined }), [change]);
  const memberIds = useMemo(
    () => new Set(query.data && itemsOf(query.data).map((member) => member.id)),
    [query.data],
  );
  const sentence = isByHand
    ? 'Nobody is in the group yet.'
    : 'Nobody whom the provider puts in this group has signed in yet.';
  return (
    <Panel>
      <FilterBar>
        <SearchField label="Search names and addresses" value={find ?? ''} onChange={search} />
      </FilterBar>
      <Load query={query} skeleton={<SkeletonRows rows={4} />}>
        {(data) => {
          const loaded = itemsOf(data);
          const rows = loaded.filter(({ name, email }) => hasWords(find, name, email));
          return (
            <>
              {rows.length > 0 && (
                <DataTable
                  caption="Members of the group"
                  columns={columns}
                  rows={rows}
                  rowKey={(member) => member.id}
                  sort={sort}
                  onSort={(value) => change({ sort: value })}
                />
              )}
              {loaded.length === 0 && (
                <Empty
                  sentence={sentence}
                  action={isByHand && <Button onClick={() => onAdd('add')}>Add people</Button>}
                />
              )}
              {loaded.length > 0 && rows.length === 0 && (
                <Empty sentence="Nobody in the group has this name or address." />
              )}
              <MorePages query={query} loaded={loaded.length} of="people" isSearchOfAll={false} />
            </>
          );
        }}
      </Load>
      {isAdding && <AddDialog group={group} memberIds={memberIds} onClose={onAdded} />}
    </Panel>
  );
}

/** Removing someone from a group asks nothing, since it can be undone. */
function useRemoval({ id, name: group }: Group): (member: Member) => void {
  const queries = useQueryClient();
  const renew = () => queries.invalidateQueries({ queryKey: ['groups', 'members', id] });
  const { mutate: add } = useMutation({
    mutationFn: (member: Member) => gatehouse.groups.members.add(id, member.id),
    onSuccess: (_response, { name }) => say(`${name} is in ${group} again.`),
    onError: (error) => sayProblem('They were not added again.', error),
    onSettled: renew,
  });
  const { mutate: remove } = useMutation({
    mutationFn: (member: Member) => gatehouse.groups.members.remove(id, member.id),
    onSuccess: (_response, member) =>
      say(`${member.name} is no longer in ${group}.`, () => add(member)),
    onError: (error) => sayProblem('They are still in the group.', error),
    onSettled: renew,
  });
  return remove;
}
