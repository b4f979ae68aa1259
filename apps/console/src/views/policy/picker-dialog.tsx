import { useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { hasWords } from '../has-words.ts';
import { RowToAdd, SearchDialog } from '../search-dialog.tsx';
import type { DirectoryQuery } from './named-list.tsx';

/** Long lists are narrowed by the search. */
const SHOWN = 50;

interface PickerDialogProps {
  readonly title: string;
  /** What they are, in the plural. */
  readonly of: string;
  readonly query: DirectoryQuery;
  readonly chosen: readonly string[];
  readonly onPick: (id: string) => void;
  readonly onClose: () => void;
}

/** Picks what rules name, one after the other. */
export function PickerDialog({ title, of, query, chosen, onPick, onClose }: PickerDialogProps) {
  const [searched, setSearched] = useState('');
  return (
    <SearchDialog
      title={title}
      label="Search names"
      searched={searched}
      onSearch={setSearched}
      onClose={onClose}
    >
      <Load query={query} skeleton={<SkeletonRows rows={4} />}>
        {({ entries, isPartial }) => {
          const others = entries.filter(
            ({ id, name, hint }) => !chosen.includes(id) && hasWords(searched, name, hint),
          );
          return (
            <>
              {others.length === 0 && <Empty sentence={`No other ${of} match.`} />}
              <ul>
                {others.slice(0, SHOWN).map(({ id, name, hint }) => (
                  <RowToAdd key={id} name={name} hint={hint} onAdd={() => onPick(id)} />
                ))}
              </ul>
              {(others.length > SHOWN || isPartial) && (
                <p className="px-4 py-2 text-ink-2">
                  {isPartial
                    ? `Only the newest ${entries.length.toLocaleString('en')} ${of} are searched.`
                    : `${others.length - SHOWN} more. Search for part of a name to find them.`}
                </p>
              )}
            </>
          );
        }}
      </Load>
    </SearchDialog>
  );
}
