import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { useStillHere } from '../use-still-here.ts';
import { type EventsPage, withNewest, withOlder } from './loaded-events.ts';
import type { LogFilter } from './search.ts';

async function readPage(filter: LogFilter, cursor?: string): Promise<EventsPage> {
  const query = { ...filter, limit: 100, cursor };
  const asked = gatehouse.request('GET', '/audit-events', { query });
  const { data, headers } = await asked.withResponse();
  const { items, nextCursor, reachedAt } = data;
  return { items, nextCursor, reachedAt, readAt: headers.get('date') ?? new Date().toISOString() };
}

/** The events of a filter, the newest first. Reading it again reads the newest page alone. */
export function eventsQuery(filter: LogFilter) {
  const queryKey = ['audit-events', 'list', filter];
  return queryOptions({
    queryKey,
    queryFn: async ({ client }) => {
      const newest = await readPage(filter);
      return withNewest(newest, client.getQueryData<EventsPage>(queryKey));
    },
  });
}

/** Pages that are read in search of events, until a person asks to go on. */
const MOST_REQUESTS = 10;

/** Events with which a search has found enough. */
const ENOUGH = 25;

/** Reads older events of a filter. Its result is how many were found. */
export function useLookBack(filter: LogFilter) {
  const queries = useQueryClient();
  const isStillHere = useStillHere();
  const { queryKey } = eventsQuery(filter);
  return useMutation({
    mutationFn: async () => {
      let found = 0;
      for (let request = 0; request < MOST_REQUESTS && found < ENOUGH; request += 1) {
        const cursor = queries.getQueryData(queryKey)?.nextCursor ?? undefined;
        if (cursor === undefined || !isStillHere()) break;
        const older = await readPage(filter, cursor);
        queries.setQueryData(queryKey, (loaded) =>
          loaded?.nextCursor === cursor ? withOlder(loaded, older) : loaded,
        );
        found += older.items.length;
      }
      return found;
    },
  });
}

/** One event, which never changes. */
export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['audit-events', 'one', id],
    queryFn: async () =>
      (await gatehouse.request('GET', '/audit-events/:id', { params: { id } })).event,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  });
}
