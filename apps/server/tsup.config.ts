import { execFileSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { prepareDatabase } from './src/platform/database/prepare-database.ts';

const migrations = new URL('prisma/migrations', import.meta.url).pathname;
const cache = new URL('../../.cache', import.meta.url).pathname;

/** From git, or from the arguments of an image, which is built without the history. */
function buildId() {
  const { SOURCE_COMMIT: commit = '', SOURCE_DATE: date = '' } = process.env;
  if (commit !== '') return { commit, date };
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
    const utc = '--date=format-local:%Y-%m-%dT%H:%M:%SZ';
    process.env.TZ = 'UTC';
    const [head = '', committedAt = ''] = git('log', '-1', utc, '--format=%h %cd').split(' ');
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return { commit: isChanged ? `${head}-changed` : head, date: committedAt };
  } catch {
    return { commit, date };
  }
}

const { commit, date } = buildId();

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
    options.define = {
      ...options.define,
      'process.env.GATEHOUSE_BUILD_COMMIT': JSON.stringify(commit),
      'process.env.GATEHOUSE_BUILD_DATE': JSON.stringify(date),
    };
  },
  onSuccess: async () => {
    await copyFile(await prepareDatabase(migrations, cache), 'dist/empty-database.tar.gz');
  },
});
