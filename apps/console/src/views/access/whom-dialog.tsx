import { memberRoleLabels } from '@gatehouse/contract';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { optionsOf } from '../../api/keys-of.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useMe } from '../../shell/me.ts';
import { type Entry, groupDirectory, peopleDirectory } from '../directory.ts';
import { hasWords } from '../has-words.ts';
import { RowToChoose, SearchDialog } from '../search-dialog.tsx';
import type { Whom } from './queries.ts';

interface WhomDialogProps {
  readonly onChoose: (whom: Whom) => void;
  readonly onClose: () => void;
}

interface Choice {
  readonly whom: Whom;
  readonly name: string;
  readonly about: string;
}

/** Rows of the dialog: a search finds the others. */
const MOST = 50;

/** Picks a person, or a group or role of which someone is thought of. */
export function WhomDialog({ onChoose, onClose }: WhomDialogProps) {
  const [searched, setSearched] = useState('');
  const query = useChoices();
  return (
    <SearchDialog
      title="For whom is the graph?"
      label="Search people, groups and roles"
      searched={searched}
      onSearch={setSearched}
      onClose={onClose}
      action={<Button onClick={onClose}>Close</Button>}
    >
      <Load query={query} skeleton={<SkeletonRows rows={4} />}>
        {(choices) => (
          <Choices
            found={choices.filter(({ name, about }) => hasWords(searched, name, about))}
            onChoose={onChoose}
          />
        )}
      </Load>
    </SearchDialog>
  );
}

function useChoices() {
  const me = useMe();
  return useQueries({
    queries: [peopleDirectory(me), groupDirectory],
    combine: ([people, groups]) => ({
      error: people.error ?? groups.error,
      data: people.data && groups.data && choicesOf(people.data.entries, groups.data.entries),
    }),
  });
}

function choicesOf(people: readonly Entry[], groups: readonly Entry[]): Choice[] {
  return [
    ...people.map(({ id, name, hint }) => ({ whom: { forUserId: id }, name, about: hint })),
    ...groups.map(({ id, name }) => ({ whom: { forGroup: id }, name, about: 'Group' })),
    ...optionsOf(memberRoleLabels).map(([forRole, name]) => ({
      whom: { forRole },
      name,
      about: 'Role, without any group',
    })),
  ];
}

interface ChoicesProps {
  readonly found: readonly Choice[];
  readonly onChoose: (whom: Whom) => void;
}

function Choices({ found, onChoose }: ChoicesProps) {
  if (found.length === 0) return <Empty sentence="No person, group or role has this name." />;
  return (
    <>
      <ul>
        {found.slice(0, MOST).map(({ whom, name, about }) => (
          <RowToChoose
            key={Object.values(whom).join()}
            name={name}
            hint={about}
            onChoose={() => onChoose(whom)}
          />
        ))}
      </ul>
      {found.length > MOST && (
        <p className="px-4 py-2 text-ink-2">Search for the other {found.length - MOST}.</p>
      )}
    </>
  );
}
