// npm run fuzz -- [--seconds=600] [--seed=<number>] [--postgres]: sends generated requests to a running server,
// and to the server and the mocks side by side. GATEHOUSE_FUZZ_SECONDS is the default of --seconds.
import { parseArgs } from 'node:util';
import { CommandFailed, run } from './lib/run.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: process.env.GATEHOUSE_FUZZ_SECONDS ?? '600' },
    seed: { type: 'string' },
    postgres: { type: 'boolean', default: process.env.GATEHOUSE_TEST_DATABASE === 'postgresql' },
  },
});

try {
  await run('node', [VITEST, 'run', '--root', 'apps/server', 'test/fuzz'], {
    env: {
      GATEHOUSE_FUZZ_SECONDS: values.seconds,
      GATEHOUSE_TEST_DATABASE: values.postgres ? 'postgresql' : 'pglite',
      ...(values.seed === undefined ? {} : { GATEHOUSE_FUZZ_SEED: values.seed }),
    },
  });
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error;
  process.exitCode = 1;
}
