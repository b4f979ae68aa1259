import { sessionStateLabels } from '@gatehouse/contract';
import type { SessionWithNames } from '@gatehouse/sdk';
import { optionsOf } from '../../api/keys-of.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterChoice } from '../../components/filter-choice.tsx';
import { useIsAdmin, useMe } from '../../shell/me.ts';
import { applicationDirectory, integrationDirectory, peopleDirectory } from '../directory.ts';
import { kindLabels } from './labels.ts';
import { PickFilter } from './pick-filter.tsx';
import type { SessionsSearch } from './search.ts';

interface FiltersProps {
  readonly search: SessionsSearch;
  /** Those that are loaded, since they may name what the person cannot list. */
  readonly sessions: readonly SessionWithNames[];
  readonly change: (changed: SessionsSearch) => void;
}

/** What narrows the sessions. The service applies it to all of them. */
export function Filters({ search, sessions, change }: FiltersProps) {
  const me = useMe();
  const isAdmin = useIsAdmin();
  const { application, integration, person, state, kind } = search;
  return (
    <FilterBar>
      <PickFilter
        label="Application"
        of="Sessions"
        value={application}
        directory={applicationDirectory(me)}
        known={sessions.map((each) => entry(each.applicationId, each.applicationName))}
        onChange={(id) => change({ application: id })}
      />
      <PickFilter
        label="Integration"
        of="Sessions"
        value={integration}
        directory={integrationDirectory}
        known={sessions.map((each) => entry(each.integrationId, each.integrationName))}
        onChange={(id) => change({ integration: id })}
      />
      {isAdmin && (
        <PickFilter
          label="Person"
          of="Sessions"
          value={person}
          directory={peopleDirectory(me)}
          known={[]}
          onChange={(id) => change({ person: id })}
        />
      )}
      <FilterChoice
        label="State"
        value={state}
        options={optionsOf(sessionStateLabels)}
        onChange={(value) => change({ state: value })}
      />
      <FilterChoice
        label="Kind"
        value={kind}
        options={optionsOf(kindLabels)}
        onChange={(value) => change({ kind: value })}
      />
    </FilterBar>
  );
}

function entry(id: string, name: string) {
  return { id, name, hint: '' };
}
