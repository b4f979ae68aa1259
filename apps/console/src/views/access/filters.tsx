import { useCallback } from 'react';
import { keysOf } from '../../api/keys-of.ts';
import { FilterBar, FilterToggle, SearchField } from '../../components/filter-bar.tsx';
import type { Graph } from './graph.ts';
import { type Access, accessLabels } from './labels.ts';
import { AccessLine } from './line.tsx';
import type { Whom } from './queries.ts';
import type { AccessSearch } from './search.ts';
import { WhomFilter } from './whom.tsx';

interface FiltersProps {
  /** Undefined until it is read. */
  readonly graph: Graph | undefined;
  readonly search: AccessSearch;
  readonly whom: Whom;
  readonly change: (changed: AccessSearch) => void;
}

/** What narrows the graph. The filters by access are its legend too. */
export function Filters({ graph, search: { find, access }, whom, change }: FiltersProps) {
  const search = useCallback((text: string) => change({ find: text || undefined }), [change]);
  const countOf = (kind: Access) =>
    graph?.edges.filter((edge) => edge.access === kind).length.toLocaleString('en');
  return (
    <FilterBar>
      <SearchField label="Search names" value={find ?? ''} onChange={search} />
      <WhomFilter
        whom={whom}
        onChange={({ forUserId, forGroup, forRole }) => change({ forUserId, forGroup, forRole })}
      />
      <div className="ml-auto flex flex-wrap gap-2 max-wide:ml-0">
        {keysOf(accessLabels).map((kind) => (
          <FilterToggle
            key={kind}
            isOn={access === kind}
            onChange={(isOn) => change({ access: isOn ? kind : undefined })}
          >
            <AccessLine access={kind} words={`${accessLabels[kind]} ${countOf(kind) ?? ''}`} />
          </FilterToggle>
        ))}
      </div>
    </FilterBar>
  );
}
