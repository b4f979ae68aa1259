import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { root } from './workspace.mjs';

const folder = join(root, '.cache/debian');

/**
 * A minimal Debian 12, made once by debootstrap and kept in `.cache`. Needs root.
 *
 * @returns its folder, to copy and not to change
 * @throws CommandFailed
 */
export async function requireMinimalDebian() {
  if (existsSync(folder)) return folder;
  console.log('Making a Debian ...');
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  // What debootstrap leaves mounted in the folder ends with its mount namespace.
  const make = ['debootstrap', '--variant=minbase', 'bookworm', draft];
  await run('unshare', ['--mount', ...make], { quiet: true });
  renameSync(draft, folder);
  return folder;
}
