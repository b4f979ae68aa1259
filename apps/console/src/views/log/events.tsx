import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { refreshOf } from '../../api/refresh.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Load } from '../../components/load.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { columnsOf } from './columns.tsx';
import { LookBack } from './look-back.tsx';
import { eventsQuery, useLookBack } from './queries.ts';
import type { LogFilter } from './search.ts';
import { useKnownNames } from './use-known-names.ts';

interface EventsProps {
  readonly filter: LogFilter;
  /** Whether new events are read as they come. */
  readonly isFollowing: boolean;
  /** Whether an event is open beside them. */
  readonly isBeside?: boolean;
  /** In place of the table where there is no event. */
  readonly empty: ReactNode;
}

/** The events of a filter, from now back to where a person has looked. */
export function Events({ filter, isFollowing, isBeside = false, empty }: EventsProps) {
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
          {loaded.items.length === 0 && loaded.nextCursor === null && empty}
          <LookBack loaded={loaded} search={search} />
        </>
      )}
    </Load>
  );
}
