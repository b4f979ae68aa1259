// npm run fuzz -- [--seconds=600] [--seed=<number>] [--postgres]: throws generated requests at the running server,
// and at the server and the mocks side by side. GATEHOUSE_FUZZ_SECONDS stands for --seconds.
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
