import type { ExportAuditEventsQuery } from '@gatehouse/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { onceAMinute } from '../../api/refresh.ts';
import { Refusal } from '../../api/refusal.ts';
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

interface RulesBefore {
  readonly integrationId: string | undefined;
  readonly applicationId: string | undefined;
  readonly to: string;
}

/** Changes of rules that are read of each place, the newest first. */
const MOST_RULE_CHANGES = 50;

/** The changes of the rules of an integration and of its attachment before a time. */
export function rulesBeforeQuery({ integrationId, applicationId, to }: RulesBefore) {
  const changes = async (filter: LogFilter) => {
    const query = { ...filter, integrationId, to, limit: MOST_RULE_CHANGES };
    return (await gatehouse.request('GET', '/audit-events', { query })).items;
  };
  return queryOptions({
    queryKey: ['audit-events', 'rules', integrationId, applicationId, to],
    queryFn: async () => [
      ...(await changes({ action: 'integration.policy_changed' })),
      ...(await changes({ action: 'application.policy_changed', applicationId })),
    ],
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  });
}

/** The last verification of the whole audit, which is made once a day; null before the first. */
export const verificationQuery = queryOptions({
  queryKey: ['audit-events', 'verification'],
  queryFn: async () => (await gatehouse.request('GET', '/audit-events/verification')).verification,
  ...onceAMinute,
});

/** An export is as long as the audit. */
const TEN_MINUTES = 600_000;

/** The lines of an export. @throws Refusal when it was cut off */
export async function readExport(query: ExportAuditEventsQuery): Promise<string> {
  const options = { timeout: TEN_MINUTES, totalTimeout: TEN_MINUTES };
  const lines = await gatehouse.request('GET', '/audit-events/export', { query, ...options });
  const last = lines.slice(lines.lastIndexOf('\n', lines.length - 2) + 1);
  if (last.startsWith('{"type":"end"')) return lines;
  throw new Refusal('The export was cut off before its end. Try it again.', undefined);
}
