// `prisma generate` requires a schema engine binary, which it does not use and would download. Any
// existing file satisfies it. The migrations run on the WebAssembly engine instead.
import { spawnSync } from 'node:child_process';

const result = spawnSync('prisma', ['generate', '--schema', 'prisma/schema.prisma', '--no-hints'], {
  stdio: ['ignore', process.env.GATEHOUSE_VERBOSE ? 'inherit' : 'ignore', 'inherit'],
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  },
});
process.exit(result.status ?? 1);
