import type { AuditEvent } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { refreshOf } from '../../api/refresh.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Load } from '../../components/load.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useMe } from '../../shell/me.ts';
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
  const names = useKnownNames();
  const { id: me } = useMe().user;
  return (
    <Load query={query} skeleton={<SkeletonRows />}>
      {(loaded) => {
        const rows = loaded.items.filter((event) => !isLookOf(me, event, filter));
        return (
          <>
            {rows.length > 0 && (
              <DataTable
                caption="Events"
                columns={columnsOf({ filter, names, isBeside })}
                rows={rows}
                rowKey={({ id }) => id}
                isDense
              />
            )}
            {rows.length === 0 && loaded.nextCursor === null && empty}
            {rows.length < loaded.items.length && <OwnLooks userId={me} />}
            <LookBack loaded={loaded} search={search} />
          </>
        );
      }}
    </Load>
  );
}

const LOOK = 'audit.read';

/** Whether a person only looked at the log, which is not what they look for in it unless they ask for it. */
function isLookOf(userId: string, { action, actor }: AuditEvent, filter: LogFilter): boolean {
  return action === LOOK && filter.action !== LOOK && actor.id === userId;
}

function OwnLooks({ userId }: { userId: string }) {
  return (
    <p className="border-t border-line px-4 py-2 text-ink-2">
      Your own looks at the log are recorded, and left out here.{' '}
      <Link
        to="/activity/log"
        search={{ action: LOOK, actorId: userId }}
        className="text-accent underline"
      >
        Show them
      </Link>
    </p>
  );
}
