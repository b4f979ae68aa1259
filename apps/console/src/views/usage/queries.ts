import type { UsageGrouping } from '@gatehouse/contract';
import { queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { onceAMinute } from '../../api/refresh.ts';
import type { Rows } from './labels.ts';
import type { UsageSearch } from './search.ts';
import { type SpanAsked, spanOf } from './span.ts';

/** What is asked of usage, beside the way to group it. */
export interface UsageAsked extends SpanAsked {
  /** Whether it is kept by minute. */
  readonly hasMinutes: boolean;
  /** Ids, separated by commas. */
  readonly applicationId?: string | undefined;
  readonly integrationId?: string | undefined;
}

/** Minutes are not kept by person, nor of what a member did. */
export function askedOf(search: UsageSearch, rows: Rows, isAdmin: boolean): UsageAsked {
  const { span, from, to, application, integration } = search;
  const hasMinutes = isAdmin && rows !== 'tool' && rows !== 'person';
  return { span, from, to, hasMinutes, applicationId: application, integrationId: integration };
}

/** Series of calls with the step of their points. Up to now, the times move on whenever it is read. */
export function usageQuery(asked: UsageAsked, groupBy?: UsageGrouping) {
  return queryOptions({
    queryKey: ['usage', asked, groupBy],
    queryFn: () => readUsage(asked, groupBy),
    refetchInterval: onceAMinute.refetchInterval,
  });
}

export async function readUsage(asked: UsageAsked, groupBy?: UsageGrouping) {
  const { applicationId, integrationId, hasMinutes } = asked;
  const { from, to, step } = spanOf(asked, hasMinutes, Date.now());
  const { series } = await gatehouse.usage.get({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    step,
    groupBy,
    applicationId,
    integrationId,
  });
  return { step, series };
}

export type UsageRead = Awaited<ReturnType<typeof readUsage>>;

/** The last 24 hours by hour. */
export function lastDayQuery(of: Pick<UsageAsked, 'applicationId' | 'integrationId'> = {}) {
  return usageQuery({ ...of, hasMinutes: false });
}
