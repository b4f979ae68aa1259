import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, SearchField } from '../../components/filter-bar.tsx';
import { hasWords } from '../has-words.ts';
import { kindLabels, kindNouns } from './kinds.ts';
import type { Kind, Listed } from './mcp/listed.ts';

/** Above this many, a search stands above the list. */
const FEW = 8;
/** Rows that are shown at once. */
const MOST = 100;
/** Characters of a description, of which two lines are shown. */
const MOST_DESCRIBED = 400;

interface PickerProps {
  readonly kind: Kind;
  readonly list: { readonly entries: readonly Listed[]; readonly isPartial: boolean };
  readonly chosen: string | undefined;
}

/** One of what is listed, as a place: the choice is in the URL. */
export function Picker({ kind, list: { entries, isPartial }, chosen }: PickerProps) {
  const [searched, setSearched] = useState('');
  const found = entries.filter(({ name, title = '', description = '' }) =>
    hasWords(searched, name, title, description),
  );
  return (
    <>
      {entries.length > FEW && (
        <FilterBar>
          <SearchField label={`Search ${kind}`} value={searched} onChange={setSearched} />
        </FilterBar>
      )}
      {found.length === 0 && <Empty sentence={`No ${kindNouns[kind]} matches these filters.`} />}
      <ul aria-label={kindLabels[kind]} className="max-h-[44vh] overflow-y-auto">
        {found.slice(0, MOST).map(({ name, title, description }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a server may list two of one name.
          <li key={`${index} ${name}`} className="border-b border-line last:border-b-0">
            <Link
              from="/playground"
              search={(before) => ({ ...before, name })}
              aria-current={name === chosen ? 'page' : 'false'}
              className="block px-4 py-2.5 hover:bg-hover aria-[current=page]:bg-accent-soft"
            >
              <span className="foreign line-clamp-2 font-mono text-12 font-medium">{name}</span>
              {title !== undefined && title !== name && (
                <span className="foreign line-clamp-1">{title}</span>
              )}
              <span className="foreign line-clamp-2 max-w-[90ch] text-ink-2">
                {description?.slice(0, MOST_DESCRIBED) ?? 'No description.'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {(isPartial || found.length > MOST) && (
        <p className="border-t border-line px-4 py-2.5 text-ink-2">
          {found.length > MOST
            ? `The first ${MOST} of ${found.length} are shown. Search for the others.`
            : `The server has more ${kind} than are listed here.`}
        </p>
      )}
    </>
  );
}
