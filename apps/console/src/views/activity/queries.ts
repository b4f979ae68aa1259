import type { SessionsFilter, SessionWithNames } from '@gatehouse/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { pageOf } from '../pages.ts';

/** Sessions across applications, the newest first: a member's own, and for admins those of everyone. */
export function sessionsQuery(filter: SessionsFilter) {
  return infiniteQueryOptions({
    queryKey: ['sessions', 'list', filter],
    queryFn: async ({ pageParam }) =>
      pageOf<SessionWithNames>(
        await gatehouse.request('GET', '/sessions', {
          query: { ...filter, limit: 100, cursor: pageParam },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** What ending the open sessions of a filter would end. Nothing is changed. */
export function endPreviewQuery(filter: SessionsFilter) {
  return queryOptions({
    queryKey: ['sessions', 'end', filter],
    queryFn: ({ signal }) =>
      gatehouse.request('POST', '/sessions/end', { body: { filter, dryRun: true }, signal }),
    gcTime: 0,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
}
