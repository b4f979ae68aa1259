import { optionsOf } from '../../api/keys-of.ts';
import { chipClass } from '../../components/chip.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Menu, MenuChoices } from '../../components/menu.tsx';
import { useMe } from '../../shell/me.ts';
import { PickFilter } from '../activity/pick-filter.tsx';
import { applicationDirectory, integrationDirectory } from '../directory.ts';
import { Between } from './between.tsx';
import { spanLabels } from './labels.ts';
import type { UsageSearch } from './search.ts';
import { isBetween, spanOf } from './span.ts';

interface FiltersProps {
  readonly search: UsageSearch;
  readonly change: (changed: UsageSearch) => unknown;
}

const BETWEEN = 'between';

/** Which calls are counted: of which time, through what, to what. */
export function Filters({ search, change }: FiltersProps) {
  const me = useMe();
  const { span = 'day', application, integration } = search;
  const isFree = isBetween(search);
  return (
    <FilterBar>
      <Menu className={chipClass(true)} trigger={isFree ? 'Between two times' : spanLabels[span]}>
        <MenuChoices
          value={isFree ? BETWEEN : span}
          options={[...optionsOf(spanLabels), [BETWEEN, 'Between two times']]}
          onChange={(chosen) =>
            change(
              chosen === BETWEEN
                ? timesIn(search)
                : { span: chosen, from: undefined, to: undefined },
            )
          }
        />
      </Menu>
      {isFree && <Between key={`${search.from} ${search.to}`} search={search} change={change} />}
      <PickFilter
        of="Calls"
        label="Application"
        value={application}
        directory={applicationDirectory(me)}
        known={[]}
        onChange={(id) => change({ application: id })}
      />
      <PickFilter
        of="Calls"
        label="Integration"
        value={integration}
        directory={integrationDirectory}
        known={[]}
        onChange={(id) => change({ integration: id })}
      />
    </FilterBar>
  );
}

/** The times that are shown, to the minute, so that they can be changed. */
function timesIn(search: UsageSearch): UsageSearch {
  const { from, to } = spanOf(search, false, Date.now());
  const toMinute = (time: number) => new Date(time - (time % 60_000)).toISOString();
  return { span: undefined, from: toMinute(from), to: toMinute(to) };
}
