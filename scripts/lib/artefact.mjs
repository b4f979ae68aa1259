import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { root } from './workspace.mjs';

/** What pnpm notes of the machine on which it ran, and the lock file of the whole workspace. */
const NOTES = ['pnpm-lock.yaml', 'node_modules/.modules.yaml', 'node_modules/.pnpm/lock.yaml'];

/** The client brings a compiler of queries for each database, of 14 MB in all forms; ours are all PostgreSQL. */
const OTHER_DATABASES = /^query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./;

/** OpenTelemetry brings its code three times; Node takes that in `build/src`. */
const FOR_BUNDLERS = /@opentelemetry\/[\w-]+\/build\/(esm|esnext)$/;

/** For people who write code and debug it: no running server opens one. */
const OF_DEVELOPERS = /\.(d\.[cm]?ts|[cm]?js\.map)$/;

/**
 * Puts the built server and its production dependencies, in the versions of the lock file, into a new
 * folder. It starts by `node <folder>/dist/main.js`, on every platform.
 *
 * Optional dependencies stay out: they are not used, and among them is the command line of Prisma, 220
 * MB.
 *
 * @throws CommandFailed
 */
export async function createArtefact(folder) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const what = ['--filter', '@gatehouse/server', '--config.inject-workspace-packages=true'];
  const how = ['--prod', '--no-optional', '--ignore-scripts', '--prefer-offline'];
  const deploy = ['--yes', packageManager, ...what, 'deploy', ...how, folder];
  await run('npx', deploy, { quiet: true, env: { CI: 'true' } });
  for (const note of NOTES) rmSync(join(folder, note), { force: true });
  removeUnused(join(folder, 'node_modules'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

function removeUnused(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (FOR_BUNDLERS.test(path)) rmSync(path, { recursive: true });
    else if (entry.isDirectory()) removeUnused(path);
    else if (OTHER_DATABASES.test(entry.name) || OF_DEVELOPERS.test(entry.name)) rmSync(path);
  }
}
