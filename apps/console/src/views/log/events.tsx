import { useQuery } from '@tanstack/react-query';
import { refreshOf } from '../../api/refresh.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { NothingFound } from '../nothing-found.tsx';
import { columnsOf } from './columns.tsx';
import { LookBack } from './look-back.tsx';
import { eventsQuery, useLookBack } from './queries.ts';
import { isFiltered, type LogFilter } from './search.ts';
import { useKnownNames } from './use-known-names.ts';

interface EventsProps {
  readonly filter: LogFilter;
  /** Whether new events are read as they come. */
  readonly isFollowing: boolean;
  /** Whether an event is open beside them. */
  readonly isBeside: boolean;
}

/** The events of a filter, from now back to where a person has looked. */
export function Events({ filter, isFollowing, isBeside }: EventsProps) {
  const query = useQuery({
    ...eventsQuery(filter),
    refetchInterval: isFollowing ? refreshOf : false,
    refetchOnWindowFocus: isFollowing,
  });
  const search = useLookBack(filter);
  const nameOf = useKnownNames();
  return (
    <Load query={query} skeleton={<SkeletonRows />}>
      {(loaded) => (
        <>
          {loaded.items.length > 0 && (
            <DataTable
              caption="Events"
              columns={columnsOf({ filter, nameOf, isBeside })}
              rows={loaded.items}
              rowKey={({ id }) => id}
              isDense
            />
          )}
          {loaded.items.length === 0 && loaded.nextCursor === null && (
            <NoEvents isFiltered={isFiltered(filter)} />
          )}
          <LookBack loaded={loaded} search={search} />
        </>
      )}
    </Load>
  );
}

function NoEvents({ isFiltered: isNarrowed }: { isFiltered: boolean }) {
  if (isNarrowed) return <NothingFound sentence="No event has all of this." to="/activity/log" />;
  return <Empty sentence="Nothing has happened yet." />;
}
