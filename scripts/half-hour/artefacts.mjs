import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { coldStart, sizeOf } from '../lib/artefact-figures.mjs';
import { run } from '../lib/run.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../lib/temporary-folder.mjs';
import { root } from '../lib/workspace.mjs';

const cache = join(root, '.cache/half-hour');
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** The commit to upgrade from: as given, or the last one before this that changed the server. */
export function findPrevious(given) {
  if (given !== undefined) return git('rev-parse', `${given}^{commit}`);
  const head = git('rev-parse', 'HEAD');
  const changes = git(
    'log',
    '--first-parent',
    '-2',
    '--format=%H',
    'HEAD',
    '--',
    'apps/server/src',
  ).split('\n');
  return changes.find((commit) => commit !== head);
}

/** Names of the migrations that this version has and the commit has not. */
export function newMigrations(commit) {
  const of = (ref) =>
    git('ls-tree', '--name-only', ref, 'apps/server/prisma/migrations/').split('\n');
  const before = new Set(of(commit));
  return of('HEAD').filter((name) => !before.has(name));
}

/**
 * The tarball of a commit, made in a fresh clone, or kept from the last time.
 *
 * @returns its path, and the seconds that the installation of the dependencies took, if it was made
 * @throws CommandFailed
 */
export async function artefactOf(commit) {
  const kept = join(cache, `${commit}.tar.gz`);
  if (existsSync(kept)) return { tarball: kept };
  const clone = createTemporaryFolder('gatehouse-half-hour-clone-');
  await run('git', ['clone', '--quiet', '--no-checkout', root, clone]);
  await run('git', ['-C', clone, 'checkout', '--quiet', commit]);
  const { packageManager } = readManifest(clone, 'package.json');
  const begun = performance.now();
  await run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'], {
    cwd: clone,
    quiet: true,
    env: { CI: 'true' },
  });
  const installSeconds = (performance.now() - begun) / 1_000;
  await run('npm', ['run', '--silent', 'artefact'], { cwd: clone, quiet: true });
  mkdirSync(cache, { recursive: true });
  const { version } = readManifest(clone, 'apps/server/package.json');
  copyFileSync(join(clone, `dist/gatehouse-${version}.tar.gz`), kept);
  removeTemporaryFolder(clone);
  return { tarball: kept, installSeconds };
}

/** The tarball of this version, which the block of the page has made, and its figures. */
export async function currentArtefact() {
  const { version } = readManifest(root, 'apps/server/package.json');
  const tarball = join(root, `dist/gatehouse-${version}.tar.gz`);
  const temporary = createTemporaryFolder('gatehouse-half-hour-start-');
  const readyAfter = await coldStart(join(root, 'dist/gatehouse'), join(temporary, 'empty'));
  rmSync(temporary, { recursive: true, force: true });
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  return {
    tarball,
    figures: {
      'artefact, unpacked': megabytes(sizeOf(join(root, 'dist/gatehouse'))),
      'artefact, tarball': megabytes(statSync(tarball).size),
      'first start, embedded database': `${(readyAfter / 1_000).toFixed(1)} s`,
    },
  };
}

function readManifest(folder, name) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
