import { useCallback } from 'react';
import { optionsOf } from '../../api/keys-of.ts';
import { FilterBar, FilterToggle, SearchField } from '../../components/filter-bar.tsx';
import { FilterChoice } from '../../components/filter-choice.tsx';
import { useMe } from '../../shell/me.ts';
import { PickFilter } from '../activity/pick-filter.tsx';
import { applicationDirectory, integrationDirectory, peopleDirectory } from '../directory.ts';
import { actionOptions } from './actions.ts';
import { kindLabels } from './kinds.ts';
import { outcomeOptions } from './outcomes.ts';
import type { LogSearch } from './search.ts';
import { SpanFilter } from './span-filter.tsx';
import { useKnownNames } from './use-known-names.ts';

interface FiltersProps {
  readonly search: LogSearch;
  readonly change: (changed: LogSearch) => void;
}

/** Those that say what was used. The others are found by their name in the URL. */
const METHODS = ['tools/call', 'tools/list', 'prompts/get', 'resources/read', 'initialize'];

type Options = readonly (readonly [value: string, label: string])[];

/** With the value that a URL has, which may be one that only a newer service knows. */
function withValue(options: Options, value: string | undefined): Options {
  const isThere = value === undefined || options.some(([option]) => option === value);
  return isThere ? options : [...options, [value, value]];
}

const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** What narrows the events. The service applies it to all of them. */
export function Filters({ search, change }: FiltersProps) {
  const me = useMe();
  const { kind, action, userId, applicationId, integrationId, outcome, method } = search;
  const { tool, requestId, from, to } = search;
  const find = useCallback(
    (text: string) => {
      const isRequest = REQUEST_ID.test(text.trim());
      const words = text.trim() || undefined;
      change({ tool: isRequest ? undefined : words, requestId: isRequest ? words : undefined });
    },
    [change],
  );
  return (
    <FilterBar>
      <SearchField
        label="Name of a tool, or id of a request"
        value={tool ?? requestId ?? ''}
        onChange={find}
      />
      <FilterChoice
        label="Kind"
        value={kind}
        options={optionsOf(kindLabels)}
        onChange={(value) => change({ kind: value })}
      />
      <FilterChoice
        label="Outcome"
        value={outcome}
        options={withValue(outcomeOptions, outcome)}
        onChange={(value) => change({ outcome: value })}
      />
      <FilterChoice
        label="Action"
        value={action}
        options={withValue(actionOptions, action)}
        onChange={(value) => change({ action: value })}
      />
      <FilterChoice
        label="Method"
        value={method}
        options={withValue(
          METHODS.map((each) => [each, each]),
          method,
        )}
        onChange={(value) => change({ method: value })}
      />
      <PickFilter
        label="Person"
        of="Events"
        value={userId}
        directory={peopleDirectory(me)}
        known={[]}
        onChange={(id) => change({ userId: id })}
      />
      <PickFilter
        label="Application"
        of="Events"
        value={applicationId}
        directory={applicationDirectory(me)}
        known={[]}
        onChange={(id) => change({ applicationId: id })}
      />
      <PickFilter
        label="Integration"
        of="Events"
        value={integrationId}
        directory={integrationDirectory}
        known={[]}
        onChange={(id) => change({ integrationId: id })}
      />
      <ActorFilter search={search} change={change} />
      <SpanFilter span={{ from, to }} onChange={change} />
    </FilterBar>
  );
}

/** Who did it is chosen at an event. Here it is seen and given up. */
function ActorFilter({ search: { actorId }, change }: FiltersProps) {
  const { nameOf, isComplete } = useKnownNames();
  if (actorId === undefined) return null;
  return (
    <FilterToggle isOn onChange={() => change({ actorId: undefined })}>
      Done by:{' '}
      <bdi className="line-clamp-1 max-w-[24ch] break-all">
        {nameOf(actorId) ?? (isComplete ? actorId : '…')}
      </bdi>
    </FilterToggle>
  );
}
