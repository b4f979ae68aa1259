import type { Group, Member } from '@gatehouse/sdk';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { sayProblem } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { SearchField } from '../../components/filter-bar.tsx';
import { Load } from '../../components/load.tsx';
import { Logo } from '../../components/logo.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { hasWords } from '../has-words.ts';
import { itemsOf } from '../pages.ts';
import { membersQuery } from '../people/queries.ts';

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
    <Dialog isOpen onClose={onClose} title={`Add to ${name}`}>
      <SearchField label="Search names and addresses" value={searched} onChange={setSearched} />
      <div className="-mx-4 mt-3 max-h-[44vh] overflow-y-auto">
        <Load query={query} skeleton={<SkeletonRows rows={4} />}>
          {(data) => {
            const loaded = itemsOf(data);
            const others = loaded.filter(
              (member) =>
                !memberIds.has(member.id) && hasWords(searched, member.name, member.email),
            );
            return (
              <>
                {others.length === 0 && <Empty sentence="Nobody else has this name or address." />}
                <ul>
                  {others.map((member) => (
                    <PersonToAdd
                      key={member.id}
                      member={member}
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
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface PersonToAddProps {
  readonly member: Member;
  readonly isBusy: boolean;
  readonly onAdd: () => void;
}

function PersonToAdd({ member: { name, email }, isBusy, onAdd }: PersonToAddProps) {
  return (
    <li className="flex min-h-11 items-center gap-2.5 border-b border-line px-4 py-1 last:border-b-0">
      <Logo name={name} />
      <span className="min-w-0 flex-1">
        <span className="foreign line-clamp-1">{name}</span>
        <span className="foreign line-clamp-1 text-12 text-ink-3">{email}</span>
      </span>
      <Button size="small" aria-label={`Add ${name}`} isBusy={isBusy} onClick={onAdd}>
        Add
      </Button>
    </li>
  );
}
