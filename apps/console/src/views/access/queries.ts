import type { AccessGraph, MemberRole, WhatIfChange } from '@gatehouse/sdk';
import { queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { type GraphPages, graphOf } from './graph.ts';
import type { AccessSearch } from './search.ts';

/** For whom the graph is: a person, or someone with a group or role; nobody of these is the caller. */
export interface Whom {
  readonly forUserId?: string | undefined;
  readonly forGroup?: string | undefined;
  readonly forRole?: MemberRole | undefined;
}

/** A person comes before a group and a role: the service takes no more than one of them. */
export function whomOf({ forUserId, forGroup, forRole }: AccessSearch): Whom {
  return forUserId === undefined ? { forGroup, forRole } : { forUserId };
}

/** Pages of 100 applications that are read. */
const MOST_PAGES = 10;

export function accessGraphQuery(whom: Whom) {
  return queryOptions({
    queryKey: ['applications', 'access-graph', whom],
    queryFn: async ({ signal }): Promise<GraphPages> => {
      const pages: AccessGraph[] = [];
      let cursor: string | undefined;
      do {
        const query = { ...whom, includePolicy: true, limit: 100, cursor };
        const page = await gatehouse.applications.accessGraph(query, { signal });
        pages.push(page);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined && pages.length < MOST_PAGES);
      return { pages, isPartial: cursor !== undefined };
    },
    select: graphOf,
  });
}

export interface PairIds {
  readonly applicationId: string;
  readonly integrationId: string;
}

/** What would follow from a change. Nothing is changed. */
export function whatIfQuery(change: WhatIfChange) {
  return queryOptions({
    queryKey: ['applications', 'what-if', change],
    queryFn: ({ signal }) =>
      gatehouse.request('POST', '/applications/access-graph/what-if', {
        body: { changes: [change] },
        signal,
      }),
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
}
