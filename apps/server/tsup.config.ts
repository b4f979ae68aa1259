import { copyFile } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { prepareDatabase } from './src/platform/database/prepare-database.ts';

const migrations = new URL('prisma/migrations', import.meta.url).pathname;
const cache = new URL('../../.cache', import.meta.url).pathname;

/** Dependencies stay outside: PGlite and the schema engine find their WebAssembly beside their own modules. */
export default defineConfig({
  entry: { main: 'src/main.ts', 'watch-worker': 'src/platform/watch/watch-worker.ts' },
  format: 'esm',
  target: 'node20',
  splitting: true,
  outDir: 'dist',
  clean: true,
  sourcemap: true,
  esbuildOptions: (options) => {
    options.conditions = ['@gatehouse/source'];
  },
  onSuccess: async () => {
    await copyFile(await prepareDatabase(migrations, cache), 'dist/empty-database.tar.gz');
  },
});
