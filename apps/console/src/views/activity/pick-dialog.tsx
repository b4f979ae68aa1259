import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import type { Directory } from '../directory.ts';
import { hasWords } from '../has-words.ts';
import { RowToChoose, SearchDialog } from '../search-dialog.tsx';

/** Rows of the dialog: a search finds the others. */
const SHOWN = 50;

interface PickDialogProps {
  readonly label: string;
  readonly of: string;
  readonly query: { readonly data: Directory | undefined; readonly error: unknown };
  readonly isChosen: boolean;
  readonly onChoose: (id: string | undefined) => void;
  readonly onClose: () => void;
}

/** Picks what a list is narrowed to. */
export function PickDialog({ label, of, query, isChosen, onChoose, onClose }: PickDialogProps) {
  const [searched, setSearched] = useState('');
  return (
    <SearchDialog
      title={`${of} of which ${label.toLowerCase()}?`}
      label="Search names"
      searched={searched}
      onSearch={setSearched}
      onClose={onClose}
      action={
        <>
          {isChosen && (
            <Button onClick={() => onChoose(undefined)}>Any {label.toLowerCase()}</Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <Load query={query} skeleton={<SkeletonRows rows={4} />}>
        {({ entries, isPartial }) => {
          const found = entries.filter(({ name, hint }) => hasWords(searched, name, hint));
          const rest = found.length - SHOWN;
          return (
            <>
              {found.length === 0 && <Empty sentence="There is nothing with this name." />}
              <ul>
                {found.slice(0, SHOWN).map(({ id, name, hint }) => (
                  <RowToChoose key={id} name={name} hint={hint} onChoose={() => onChoose(id)} />
                ))}
              </ul>
              {(rest > 0 || isPartial) && (
                <p className="px-4 py-2 text-ink-2">
                  {rest > 0 && `${rest} more. Search for part of a name to find them. `}
                  {isPartial &&
                    `Only the newest ${entries.length.toLocaleString('en')} are searched.`}
                </p>
              )}
            </>
          );
        }}
      </Load>
    </SearchDialog>
  );
}
