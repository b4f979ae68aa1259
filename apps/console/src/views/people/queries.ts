import type { Member } from '@gatehouse/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { pageOf } from '../pages.ts';

/** The members of the organization, the newest first. */
export const membersQuery = infiniteQueryOptions({
  queryKey: ['members', 'list'],
  queryFn: async ({ pageParam }) =>
    pageOf<Member>(await gatehouse.members.list({ limit: 100, cursor: pageParam })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** What ends and what stays when a member is removed. */
export function memberAccessQuery(id: string) {
  return queryOptions({
    queryKey: ['members', 'access', id],
    queryFn: () => gatehouse.request('GET', '/members/:id/access', { params: { id } }),
    refetchInterval: false,
  });
}
