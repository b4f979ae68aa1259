import type { Group, Member } from '@gatehouse/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { pageOf } from '../pages.ts';

export const groupsQuery = infiniteQueryOptions({
  queryKey: ['groups', 'list'],
  queryFn: async ({ pageParam }) =>
    pageOf<Group>(await gatehouse.groups.list({ limit: 100, cursor: pageParam })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** A group with the version that a change of it names. */
export function groupQuery(id: string) {
  return queryOptions({
    queryKey: ['groups', 'one', id],
    queryFn: async () => {
      const { data, etag } = await gatehouse.groups.get(id).withResponse();
      return { group: data.group, etag };
    },
  });
}

/** Where policies name the group. */
export function groupPoliciesQuery(id: string) {
  return queryOptions({
    queryKey: ['groups', 'policies', id],
    queryFn: () => gatehouse.request('GET', '/groups/:id/policies', { params: { id } }),
  });
}

export function groupMembersQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['groups', 'members', id],
    queryFn: async ({ pageParam }) =>
      pageOf<Member>(await gatehouse.groups.members.list(id, { limit: 100, cursor: pageParam })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
