import type { FixtureCalls, MockGatehouse } from '@gatehouse/mocks';
import { eachCall, type Habit, type Ids } from './calls.ts';

/** Minutes of the past that have calls. */
const WEEK = 7 * 24 * 60;

/** The calls of the last week, of which the audit has the last day. */
export function seedUsage({ fixtures }: MockGatehouse, ids: Ids): void {
  eachCall(WEEK, ({ person, call, ...names }, at) => {
    const { name: tool = '', ms = 40, bytesIn = 300, bytesOut = 1_000 } = call;
    const applicationId = ids.application(names.application);
    const userId = person === null ? applicationId : person && ids.person(person);
    fixtures.addCalls({
      ...{ applicationId, integrationId: ids.integration(names.integration) },
      ...{ tool, ms, bytesIn, bytesOut },
      ...(userId !== undefined && { userId }),
      outcome: outcomeOf(call),
      at: at.toISOString(),
    });
  });
}

function outcomeOf({ outcome }: Habit['call']): NonNullable<FixtureCalls['outcome']> {
  if (outcome === undefined) return 'ok';
  return outcome === 'upstream_failed' ? 'upstream_error' : 'refused';
}
