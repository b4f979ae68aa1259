import {
  type UsageQuery,
  type UsageStep,
  usageIdsOf,
  usageSeriesFor,
  usageStepsBetween,
} from '@gatehouse/contract';
import { isAdmin, type PersonCaller } from '../../identity/caller.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { readUsage, type UsageRow } from '../../usage/read-usage.ts';
import { ownsAll } from './repository.ts';

/**
 * What the actor may see: everything for admins, all calls through applications that they own if only those are named, and
 * otherwise the actor's own calls.
 *
 * @throws ProblemError `validation_failed` for minutes of one person
 */
export async function readUsageFor(
  db: Db,
  actor: PersonCaller,
  query: UsageQuery,
): Promise<UsageRow[]> {
  const { step, groupBy } = query;
  const [from, to] = [Date.parse(query.from), Date.parse(query.to)];
  const steps = usageStepsBetween(step, from, to);
  const applicationIds = idsOf(query.applicationId);
  const integrationIds = idsOf(query.integrationId);
  const seesAll = isAdmin(actor) || (await ownsAll(db, actor.userId, applicationIds ?? []));
  if (!seesAll) requireKeptByPerson(step);
  return readUsage(db, {
    ...{ applicationIds, integrationIds, step, groupBy },
    organizationId: actor.organizationId,
    userId: seesAll ? undefined : actor.userId,
    series: usageSeriesFor(steps.length),
    from: new Date(steps[0] ?? from),
    to: new Date(to),
  });
}

/** @throws ProblemError `validation_failed` */
function requireKeptByPerson(step: UsageStep): void {
  if (step !== 'minute') return;
  const message =
    'Minutes are not kept by person: name applications of your own, or ask for hours.';
  throw new ProblemError('validation_failed', message, {
    errors: [{ parameter: 'step', code: 'custom', message }],
  });
}

function idsOf(parameter: string | undefined): readonly string[] | undefined {
  return parameter === undefined ? undefined : usageIdsOf(parameter);
}
