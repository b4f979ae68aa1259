import type { Application, Session } from '@gatehouse/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { pageOf } from '../pages.ts';

interface ListFilter {
  readonly all?: boolean | undefined;
  readonly includeArchived?: boolean | undefined;
}

export function applicationsQuery(filter: ListFilter = {}) {
  return infiniteQueryOptions({
    queryKey: ['applications', 'list', filter],
    queryFn: async ({ pageParam }) =>
      pageOf<Application>(
        await gatehouse.applications.list({ ...filter, limit: 100, cursor: pageParam }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** An application with the version that a change of it names. */
export function applicationQuery(id: string) {
  return queryOptions({
    queryKey: ['applications', 'one', id],
    queryFn: async () => {
      const { data, etag } = await gatehouse.applications.get(id).withResponse();
      return { application: data.application, etag };
    },
  });
}

/** What the one URL of an application lists for the person who looks. It is off where the application has no such URL. */
export function aggregateQuery(id: string) {
  return queryOptions({
    queryKey: ['applications', 'aggregate', id],
    queryFn: () => gatehouse.applications.aggregate.get(id),
  });
}

/** The rules of an attachment, with the version of the application, which is theirs. */
export function attachmentPolicyQuery(id: string, integrationId: string) {
  return queryOptions({
    queryKey: ['applications', 'policy', id, integrationId],
    queryFn: async () => {
      const rules = gatehouse.applications.integrations.policy.get(id, integrationId);
      const { data, etag } = await rules.withResponse();
      return { policy: data.policy, etag };
    },
  });
}

export function sessionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['applications', 'sessions', id],
    queryFn: async ({ pageParam }) =>
      pageOf<Session>(
        await gatehouse.applications.sessions.list(id, { limit: 100, cursor: pageParam }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
