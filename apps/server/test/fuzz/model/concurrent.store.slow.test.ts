import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { operations } from '../operations.ts';
import { type Plan, planArbitrary } from '../plans/plan.ts';
import { reportOf } from '../report.ts';
import { fuzzSettings } from '../settings.ts';
import { asComparable } from './comparable.ts';
import { callAtOnce, explain, type History } from './concurrent.ts';
import { type ModelledServer, startModelledServer } from './start.ts';

const { seed, model, testTimeout } = fuzzSettings;

/** Orders of four calls are 24, of five 120: each is played to a mock from the beginning. */
const AT_ONCE = { minLength: 2, maxLength: 4 };
const BATCHES = { minLength: 1, maxLength: 8 };

/** What meets on the same rows. Reads are made of several statements, and promise no one moment. */
const meeting = operations
  .filter(
    ({ id, route }) =>
      route.method !== 'GET' && /^(?:integrations|connections|applications)\./.test(id),
  )
  .filter(
    ({ id }) =>
      !['integrations.discover', 'integrations.validate', 'connections.test'].includes(id),
  );

let server: ModelledServer;
beforeAll(async () => {
  server = await startModelledServer();
});
afterAll(() => server?.close());

it('calls at the same time end as they would one after the other, in some order', {
  timeout: testTimeout,
}, async () => {
  const plan = planArbitrary(meeting).map(asComparable).map(onFewRows);
  const batches = fc.array(fc.array(plan, AT_ONCE), BATCHES);
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(batches, async (chosen) => {
      calls += await play(chosen);
    }),
    { seed, ...model },
  );
  process.stdout.write(`${calls} calls at the same time explained from seed ${seed}\n`);
});

/** Calls of one batch name the same rows, and mostly as their owner. */
function onFewRows(plan: Plan): Plan {
  return {
    ...plan,
    actor: { ...plan.actor, pick: plan.actor.pick % 4 },
    ids: plan.ids.map((choice) => ({ ...choice, pick: choice.pick % 2 })),
  };
}

async function play(batches: readonly (readonly Plan[])[]): Promise<number> {
  const run = await server.begin();
  let history: History = [];
  let calls = 0;
  for (const batch of batches) {
    const [made = [], seen = []] = await callAtOnce(run, batch);
    const explanation = await explain(run, history, [made, seen]);
    if (explanation.history === undefined) {
      const reports = made.map(({ request, answer }) => reportOf(request, answer, []));
      throw new Error([...explanation.attempts, ...reports].join('\n'));
    }
    history = explanation.history;
    calls += made.length;
  }
  return calls;
}
