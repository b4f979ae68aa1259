import {
  type Contract,
  type UsageQuery,
  type UsageSeries,
  usageIdsOf,
  usageOutcomes,
  usageSeriesFor,
  usageStepOf,
  usageStepsBetween,
} from '@gatehouse/contract';
import { isAdmin } from '../http/actor.ts';
import type { Caller, Operations } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import { notKeptByOutcome, usageKeyOf, usageTotalOf } from '../rules/usage.ts';
import type { UsedCallsRow } from '../state/rows.ts';

export const usage: Operations<Contract['usage']> = {
  get: {
    act(call) {
      const { query } = call;
      const byKey = new Map<string | null, UsedCallsRow[]>(
        query.groupBy === undefined
          ? [[null, []]]
          : query.groupBy === 'outcome'
            ? usageOutcomes.map((outcome) => [outcome, []])
            : [],
      );
      for (const row of rowsFor(call, query)) {
        const key = usageKeyOf(row, query.groupBy);
        byKey.set(key, [...(byKey.get(key) ?? []), row]);
      }
      const series = [...byKey].map(([key, rows]) => seriesOf(query, key, rows));
      if (query.groupBy !== 'outcome') series.sort(byCalls);
      const most = usageSeriesFor(series[0]?.points.length ?? 1);
      return { status: 200, body: { series: series.slice(0, most) } };
    },
  },
};

/** The calls of the span that the caller may see. @throws Refusal `validation_failed` for minutes of one person */
function rowsFor({ state, actor }: Caller, query: UsageQuery): UsedCallsRow[] {
  const { step, groupBy } = query;
  const applications = idsOf(query.applicationId);
  const integrations = idsOf(query.integrationId);
  const owns = (id: string) => state.applications.get(id)?.ownerUserId === actor.userId;
  const seesAll = isAdmin(actor) || applications?.every(owns) === true;
  if (!seesAll && step === 'minute') throw minutesNotKept();
  const from = usageStepOf(step, Date.parse(query.from));
  return state.usedCalls.filter((row) => {
    const at = Date.parse(row.at);
    return (
      state.applications.get(row.applicationId)?.organizationId === actor.organizationId &&
      (seesAll || row.userId === actor.userId) &&
      (applications?.includes(row.applicationId) ?? true) &&
      (integrations?.includes(row.integrationId) ?? true) &&
      (groupBy !== 'tool' || row.tool !== '') &&
      at >= from &&
      at < Date.parse(query.to)
    );
  });
}

function idsOf(parameter: string | undefined): readonly string[] | undefined {
  return parameter === undefined ? undefined : usageIdsOf(parameter);
}

function minutesNotKept(): Refusal {
  const message =
    'Minutes are not kept by person: name applications of your own, or ask for hours.';
  return new Refusal('validation_failed', message, {
    errors: [{ parameter: 'step', code: 'custom', message }],
  });
}

function seriesOf(
  { step, from, to, groupBy }: UsageQuery,
  key: string | null,
  rows: readonly UsedCallsRow[],
): UsageSeries {
  const notKept = groupBy === 'outcome' ? notKeptByOutcome : {};
  const points = usageStepsBetween(step, Date.parse(from), Date.parse(to)).map((at) => {
    const within = rows.filter((row) => usageStepOf(step, Date.parse(row.at)) === at);
    return { at: new Date(at).toISOString(), ...usageTotalOf(within), ...notKept };
  });
  return { key, total: { ...usageTotalOf(rows), ...notKept }, points };
}

function byCalls(one: UsageSeries, other: UsageSeries): number {
  return other.total.calls - one.total.calls || (one.key ?? '').localeCompare(other.key ?? '');
}
