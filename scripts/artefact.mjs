// npm run artefact: makes dist/gatehouse, the built server with what it needs in production, and dist/gatehouse-<version>.tar.gz
// of it. Prints sizes and times. With --folder it makes the folder alone, as the Dockerfile needs it.
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createArtefact } from './lib/artefact.mjs';
import { coldStart, sizeOf } from './lib/artefact-figures.mjs';
import { build } from './lib/build.mjs';
import { buildSite } from './lib/build-site.mjs';
import { install } from './lib/install.mjs';
import { CommandFailed, run } from './lib/run.mjs';
import { createTemporaryFolder } from './lib/temporary-folder.mjs';
import { root } from './lib/workspace.mjs';

const dist = join(root, 'dist');
const folder = join(dist, 'gatehouse');
const { version } = JSON.parse(readFileSync(join(root, 'apps/server/package.json'), 'utf8'));
const tarball = join(dist, `gatehouse-${version}.tar.gz`);

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/** What a step returns, and how long it took in milliseconds. */
async function timed(step) {
  const startedAt = performance.now();
  await step();
  return performance.now() - startedAt;
}

try {
  await install();
  await build(['@gatehouse/server']);
  await buildSite();
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const made = await timed(() => createArtefact(folder));
  console.log(`${folder}: ${megabytes(sizeOf(folder))}, made in ${seconds(made)}`);
  if (process.argv.includes('--folder')) process.exit(0);

  await run('tar', ['-czf', tarball, '-C', dist, 'gatehouse']);
  const temporary = createTemporaryFolder('gatehouse-artefact-');
  const unpacked = await timed(() => run('tar', ['-xzf', tarball, '-C', temporary]));
  const first = await coldStart(join(temporary, 'gatehouse'), join(temporary, 'empty'));
  const figures = `unpacked in ${seconds(unpacked)}, ready on an empty folder after ${seconds(first)}`;
  console.log(`${tarball}: ${megabytes(statSync(tarball).size)}, ${figures}`);
  process.exit(0);
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
