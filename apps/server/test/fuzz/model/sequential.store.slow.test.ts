import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { planArbitrary } from '../plans/plan.ts';
import { fuzzSettings } from '../settings.ts';
import { CallCommand } from './command.ts';
import { asComparable, comparable } from './comparable.ts';
import { createMirror } from './mirror.ts';
import { type ModelledServer, startModelledServer } from './start.ts';

const { seed, model, testTimeout } = fuzzSettings;
const LONGEST = 60;

let server: ModelledServer;
beforeAll(async () => {
  server = await startModelledServer();
});
afterAll(() => server?.close());

it('any calls in any order are answered alike by the server and the mock', {
  timeout: testTimeout,
}, async () => {
  const command = planArbitrary(comparable).map((plan) => new CallCommand(asComparable(plan)));
  const commands = fc.commands([command], { maxCommands: LONGEST, size: 'max' });
  let runs = 0;
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(commands, async (chosen) => {
      const run = await server.begin();
      const mirror = createMirror({ owners: run.owners, isAnyOrder: false });
      for (const exchange of run.beginning) {
        const different = await mirror.follow(exchange);
        if (different.length > 0) throw new Error(`The beginnings differ: ${different.join('\n')}`);
      }
      await fc.asyncModelRun(() => ({ model: mirror, real: run }), chosen);
      runs += 1;
      calls += run.sent;
    }),
    { seed, ...model },
  );
  process.stdout.write(`${calls} calls in ${runs} runs alike from seed ${seed}\n`);
});
