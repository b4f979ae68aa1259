import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { SearchField } from '../../components/filter-bar.tsx';
import { Load } from '../../components/load.tsx';
import { Logo } from '../../components/logo.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { hasWords } from '../has-words.ts';
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
    <Dialog isOpen onClose={onClose} title={title}>
      <SearchField label="Search names" value={searched} onChange={setSearched} />
      <div className="-mx-4 mt-3 max-h-[44vh] overflow-y-auto">
        <Load query={query} skeleton={<SkeletonRows rows={4} />}>
          {({ entries, isPartial }) => {
            const others = entries.filter(
              ({ id, name, hint }) => !chosen.includes(id) && hasWords(searched, name, hint),
            );
            return (
              <>
                {others.length === 0 && (
                  <Empty sentence={`There are no other ${of} with this name.`} />
                )}
                <ul>
                  {others.slice(0, SHOWN).map(({ id, name, hint }) => (
                    <li
                      key={id}
                      className="flex min-h-11 items-center gap-2.5 border-b border-line px-4 py-1 last:border-b-0"
                    >
                      <Logo name={name} />
                      <span className="min-w-0 flex-1">
                        <span className="foreign line-clamp-1">{name}</span>
                        <span className="foreign line-clamp-1 text-12 text-ink-3">{hint}</span>
                      </span>
                      <Button size="small" aria-label={`Add ${name}`} onClick={() => onPick(id)}>
                        Add
                      </Button>
                    </li>
                  ))}
                </ul>
                {(others.length > SHOWN || isPartial) && (
                  <p className="px-4 py-2 text-ink-2">
                    {isPartial
                      ? `Only the newest ${entries.length.toLocaleString('en')} ${of} are searched.`
                      : `${others.length - SHOWN} more: search for a part of the name.`}
                  </p>
                )}
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
