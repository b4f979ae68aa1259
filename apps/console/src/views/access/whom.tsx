import { memberRoleLabels } from '@gatehouse/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { labelOf } from '../../api/labels.ts';
import { Button } from '../../components/button.tsx';
import { useMe } from '../../shell/me.ts';
import { groupDirectory, peopleDirectory } from '../directory.ts';
import type { Whom } from './queries.ts';

const WhomDialog = lazy(async () => ({ default: (await import('./whom-dialog.tsx')).WhomDialog }));

interface WhomFilterProps {
  readonly whom: Whom;
  readonly onChange: (whom: Whom) => void;
}

/** For whom the graph is, and the way to ask for someone else. */
export function WhomFilter({ whom, onChange }: WhomFilterProps) {
  const [isChoosing, setChoosing] = useState(false);
  const name = useWhom(whom);
  const isSelf = Object.values(whom).every((value) => value === undefined);
  return (
    <>
      <Button size="small" onClick={() => setChoosing(true)}>
        <span className="foreign line-clamp-1 max-w-[32ch]">For {isSelf ? 'you' : name}</span>
      </Button>
      {!isSelf && (
        <Button size="small" look="plain" onClick={() => onChange({})}>
          For you again
        </Button>
      )}
      <Suspense fallback={null}>
        {isChoosing && (
          <WhomDialog
            onChoose={(chosen) => {
              onChange(chosen);
              setChoosing(false);
            }}
            onClose={() => setChoosing(false)}
          />
        )}
      </Suspense>
    </>
  );
}

/** The name of whom the graph is for, as the subject of a sentence. */
export function useWhom({ forUserId, forGroup, forRole }: Whom): string {
  const me = useMe();
  const people = useQuery({ ...peopleDirectory(me), enabled: forUserId !== undefined });
  const groups = useQuery({ ...groupDirectory, enabled: forGroup !== undefined });
  if (forUserId !== undefined) {
    return people.data?.entries.find(({ id }) => id === forUserId)?.name ?? 'This person';
  }
  if (forGroup === undefined && forRole === undefined) return 'You';
  const role = labelOf(memberRoleLabels, forRole ?? 'member').toLowerCase();
  const person = forRole === undefined ? 'A person' : `A person with the role ${role}`;
  const group = groups.data?.entries.find(({ id }) => id === forGroup)?.name ?? 'this group';
  return forGroup === undefined ? person : `${person} in ${group}`;
}
