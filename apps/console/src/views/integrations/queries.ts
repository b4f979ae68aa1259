import type { Integration } from '@gatehouse/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { pageOf } from '../pages.ts';

interface ListFilter {
  readonly name?: string | undefined;
  readonly includeArchived?: boolean | undefined;
}

export function integrationsQuery(filter: ListFilter = {}) {
  return infiniteQueryOptions({
    queryKey: ['integrations', 'list', filter],
    queryFn: async ({ pageParam }) =>
      pageOf<Integration>(
        await gatehouse.integrations.list({ ...filter, limit: 100, cursor: pageParam }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** An integration with the version that a change of it names. */
export function integrationQuery(id: string) {
  return queryOptions({
    queryKey: ['integrations', 'one', id],
    queryFn: async () => {
      const { data, etag } = await gatehouse.integrations.get(id).withResponse();
      return { integration: data.integration, etag };
    },
  });
}

export function toolsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['integrations', 'tools', id],
    queryFn: async ({ pageParam }) =>
      pageOf(
        await gatehouse.request('GET', '/integrations/:id/tools', {
          params: { id },
          query: { limit: 100, cursor: pageParam },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

export function promptsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['integrations', 'prompts', id],
    queryFn: async ({ pageParam }) =>
      pageOf(
        await gatehouse.request('GET', '/integrations/:id/prompts', {
          params: { id },
          query: { limit: 100, cursor: pageParam },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

export function resourcesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['integrations', 'resources', id],
    queryFn: async ({ pageParam }) =>
      pageOf(
        await gatehouse.request('GET', '/integrations/:id/resources', {
          params: { id },
          query: { limit: 100, cursor: pageParam },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Who has connected it. A person has one connection, so their id is its own. */
export function connectionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['integrations', 'connections', id],
    queryFn: async ({ pageParam }) => {
      const { items, nextCursor } = await gatehouse.request(
        'GET',
        '/integrations/:id/connections',
        { params: { id }, query: { limit: 100, cursor: pageParam } },
      );
      return pageOf({ items: items.map((item) => ({ ...item, id: item.userId })), nextCursor });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The last validation from this page: only it has the stages. It runs when it is asked for. */
export function validationQuery(id: string) {
  return queryOptions({
    queryKey: ['integrations', 'validation', id],
    queryFn: () => gatehouse.integrations.validate(id),
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** The OAuth configuration, as admins may read it, with the version that a change of it names. */
export function oauthQuery(id: string) {
  return queryOptions({
    queryKey: ['integrations', 'oauth', id],
    queryFn: async () => {
      const asked = gatehouse.request('GET', '/integrations/:id/oauth', { params: { id } });
      const { data, etag } = await asked.withResponse();
      return { oauth: data.oauth, etag };
    },
  });
}

/** Which applications use it, as the access graph of admins has it. */
export function usersQuery(integrationId: string) {
  return queryOptions({
    queryKey: ['integrations', 'applications', integrationId],
    queryFn: () => gatehouse.applications.accessGraph({ integrationId, includePolicy: true }),
  });
}

/** The rules of an integration, with its version, which is theirs. */
export function policyQuery(id: string) {
  return queryOptions({
    queryKey: ['integrations', 'policy', id],
    queryFn: async () => {
      const { data, etag } = await gatehouse.integrations.policy.get(id).withResponse();
      return { policy: data.policy, etag };
    },
  });
}
