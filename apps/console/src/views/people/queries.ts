import type { Application, Member } from '@gatehouse/sdk';
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

/** Applications that are looked through for those of one person. */
const MOST = 1000;

export interface OwnedApplications {
  readonly owned: readonly Application[];
  /** Whether there are more applications than were looked through. */
  readonly isPartial: boolean;
}

/** The applications that a member owns. They stay when the member leaves. */
export function applicationsOfQuery(memberId: string) {
  return queryOptions({
    queryKey: ['applications', 'of', memberId],
    queryFn: async (): Promise<OwnedApplications> => {
      const pages = gatehouse.applications.list({ all: true, limit: 100 });
      const all = await pages.toArray({ max: MOST });
      const owned = all.filter(({ ownerUserId }) => ownerUserId === memberId);
      return { owned, isPartial: all.length === MOST };
    },
    refetchInterval: false,
  });
}
