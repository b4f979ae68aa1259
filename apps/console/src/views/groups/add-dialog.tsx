import type { Group, Member } from '@gatehouse/sdk';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { sayProblem } from '../../components/announcements.ts';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { hasWords } from '../has-words.ts';
import { itemsOf } from '../pages.ts';
import { membersQuery } from '../people/queries.ts';
import { RowToAdd, SearchDialog } from '../search-dialog.tsx';

interface AddDialogProps {
  readonly group: Group;
  readonly memberIds: ReadonlySet<string>;
  readonly onClose: () => void;
}

/** Picks who is in a group, one after the other. */
export function AddDialog({ group: { id, name }, memberIds, onClose }: AddDialogProps) {
  const [searched, setSearched] = useState('');
  const query = useInfiniteQuery(membersQuery);
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: (member: Member) => gatehouse.groups.members.add(id, member.id),
    onError: (error) => sayProblem('They were not added.', error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['groups', 'members', id] }),
  });
  return (
    <SearchDialog
      title={`Add to ${name}`}
      label="Search names and addresses"
      searched={searched}
      onSearch={setSearched}
      onClose={onClose}
    >
      <Load query={query} skeleton={<SkeletonRows rows={4} />}>
        {(data) => {
          const loaded = itemsOf(data);
          const others = loaded.filter(
            (member) => !memberIds.has(member.id) && hasWords(searched, member.name, member.email),
          );
          return (
            <>
              {others.length === 0 && <Empty sentence="Nobody else has this name or address." />}
              <ul>
                {others.map((member) => (
                  <RowToAdd
                    key={member.id}
                    name={member.name}
                    hint={member.email}
                    isBusy={add.isPending && add.variables.id === member.id}
                    onAdd={() => add.mutate(member)}
                  />
                ))}
              </ul>
              <MorePages query={query} loaded={loaded.length} of="people" isSearchOfAll={false} />
            </>
          );
        }}
      </Load>
    </SearchDialog>
  );
}
