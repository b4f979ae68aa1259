import { queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';

/** Pages of 100 of each kind that are read. */
const MOST_PAGES = 10;

export interface UsedThrough {
  /** Of applications, in the order of the alphabet. */
  readonly names: readonly string[];
  /** Whether more could not be read. */
  readonly isPartial: boolean;
}

/**
 * The applications through which the caller uses an integration: those that they have allowed to, those with an open
 * session of the caller, and those that they may use it through, as far as they may read that: admins of all
 * applications, others of those that they own.
 */
export function usedThroughQuery(integrationId: string, userId: string, isAdmin: boolean) {
  return queryOptions({
    queryKey: ['applications', 'used-through', integrationId],
    queryFn: async (): Promise<UsedThrough> => {
      const found = await Promise.all([
        allowed(integrationId),
        inUse(integrationId, userId),
        isAdmin ? usable(integrationId) : attached(integrationId),
      ]);
      const names = new Set(found.flatMap((part) => part.names));
      return {
        names: [...names].sort((one, other) => one.localeCompare(other)),
        isPartial: found.some((part) => part.isPartial),
      };
    },
  });
}

interface Page {
  readonly names: readonly string[];
  readonly nextCursor: string | null;
}

async function readPages(
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<UsedThrough> {
  const names: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await read(cursor);
    names.push(...page.names);
    cursor = page.nextCursor ?? undefined;
    pages += 1;
  } while (cursor !== undefined && pages < MOST_PAGES);
  return { names, isPartial: cursor !== undefined };
}

/** By their grants: a gateway URL ends with the id of its integration. */
function allowed(integrationId: string): Promise<UsedThrough> {
  return readPages(async (cursor) => {
    const query = { limit: 100, cursor };
    const { items, nextCursor } = await gatehouse.request('GET', '/grants', { query });
    const those = items.filter(({ resources }) =>
      resources.some((resource) => resource.endsWith(`/${integrationId}`)),
    );
    return { names: those.map(({ applicationName }) => applicationName), nextCursor };
  });
}

function inUse(integrationId: string, userId: string): Promise<UsedThrough> {
  return readPages(async (cursor) => {
    const query = { integrationId, userId, state: 'open', limit: 100, cursor } as const;
    const { items, nextCursor } = await gatehouse.request('GET', '/sessions', { query });
    return { names: items.map(({ applicationName }) => applicationName), nextCursor };
  });
}

function usable(integrationId: string): Promise<UsedThrough> {
  return readPages(async (cursor) => {
    const query = { integrationId, includePolicy: true, limit: 100, cursor };
    const { applications, edges, nextCursor } = await gatehouse.applications.accessGraph(query);
    const usableIds = new Set(
      edges.filter(({ policy }) => policy?.allowed).map(({ applicationId }) => applicationId),
    );
    const those = applications.filter(({ id }) => usableIds.has(id));
    return { names: those.map(({ name }) => name), nextCursor };
  });
}

function attached(integrationId: string): Promise<UsedThrough> {
  return readPages(async (cursor) => {
    const { items, nextCursor } = await gatehouse.applications.list({ limit: 100, cursor });
    const those = items.filter(({ integrations }) =>
      integrations.some(({ id }) => id === integrationId),
    );
    return { names: those.map(({ name }) => name), nextCursor };
  });
}
