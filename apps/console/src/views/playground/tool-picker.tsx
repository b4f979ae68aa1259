import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, SearchField } from '../../components/filter-bar.tsx';
import { hasWords } from '../has-words.ts';
import type { ToolList } from './mcp/client.ts';

/** Above this many, a search stands above the list. */
const FEW = 8;
/** Rows that are shown at once. */
const MOST = 100;
/** Characters of a description, of which two lines are shown. */
const MOST_DESCRIBED = 400;

interface ToolPickerProps {
  readonly list: ToolList;
  readonly chosen: string | undefined;
}

/** One of the tools, as a place: the choice is in the URL. */
export function ToolPicker({ list: { tools, isPartial }, chosen }: ToolPickerProps) {
  const [searched, setSearched] = useState('');
  const found = tools.filter(({ name, title = '', description = '' }) =>
    hasWords(searched, name, title, description),
  );
  return (
    <>
      {tools.length > FEW && (
        <FilterBar>
          <SearchField label="Search tools" value={searched} onChange={setSearched} />
        </FilterBar>
      )}
      {found.length === 0 && <Empty sentence="No tool has all of this." />}
      <ul aria-label="Tools" className="max-h-[44vh] overflow-y-auto">
        {found.slice(0, MOST).map(({ name, title, description }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a server may list two tools of one name.
          <li key={`${index} ${name}`} className="border-b border-line last:border-b-0">
            <Link
              from="/playground"
              search={(before) => ({ ...before, tool: name })}
              aria-current={name === chosen ? 'page' : 'false'}
              className="block px-4 py-2.5 hover:bg-hover aria-[current=page]:bg-accent-soft"
            >
              <span className="foreign line-clamp-2 font-mono text-12 font-medium">{name}</span>
              {title !== undefined && title !== name && (
                <span className="foreign line-clamp-1">{title}</span>
              )}
              <span className="foreign line-clamp-2 max-w-[90ch] text-ink-2">
                {description?.slice(0, MOST_DESCRIBED) ?? 'It does not describe itself.'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {(isPartial || found.length > MOST) && (
        <p className="border-t border-line px-4 py-2.5 text-ink-2">
          {found.length > MOST
            ? `The first ${MOST} of ${found.length} are shown. Search for the others.`
            : 'The server has more tools than are listed here.'}
        </p>
      )}
    </>
  );
}
