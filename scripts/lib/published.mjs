import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './run.mjs';
import { createTemporaryFolder } from './temporary-folder.mjs';
import { root } from './workspace.mjs';

/** Files that pnpm packs otherwise than they are here: without exports of sources, with versions, with the license. */
const DIFFERENT = ['package.json', 'LICENSE'];

const kept = (folder) => join(root, '.cache', `unpublished-${basename(folder)}.json`);

/**
 * Gives a package the files that pnpm publishes, until `restore`: npm packs what it finds.
 *
 * @throws CommandFailed
 */
export async function takePublished(folder) {
  restore(folder);
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const temporary = createTemporaryFolder('gatehouse-pack-');
  const pack = [
    '--yes',
    '--prefer-offline',
    packageManager,
    'pack',
    '--pack-destination',
    temporary,
  ];
  await run('npx', pack, { cwd: folder, quiet: true });
  const [tarball] = readdirSync(temporary);
  const files = DIFFERENT.map((file) => `package/${file}`);
  await run('tar', ['-xzf', join(temporary, tarball), '-C', temporary, ...files]);
  mkdirSync(join(root, '.cache'), { recursive: true });
  copyFileSync(join(folder, 'package.json'), kept(folder));
  for (const file of DIFFERENT) copyFileSync(join(temporary, 'package', file), join(folder, file));
}

/** Takes it back, also after a run that was interrupted. */
export function restore(folder) {
  if (!existsSync(kept(folder))) return;
  renameSync(kept(folder), join(folder, 'package.json'));
  rmSync(join(folder, 'LICENSE'), { force: true });
}
