import { spawnSync } from 'node:child_process';
import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { createTemporaryFolder } from '../lib/temporary-folder.mjs';
import { root, workspacePackages } from '../lib/workspace.mjs';

/** What tests need and git ignores. */
const GENERATED = ['apps/server/src/generated', 'apps/server/dist', '.cache'];

/** Whole machines and artefacts, which no test needs, and devices, which cannot be copied. */
const MACHINES = /^\.cache\/(?:debian|half-hour)/;

/**
 * Copies the working tree into a temporary folder. Dependencies are linked; the workspace's own
 * packages are copied.
 *
 * @returns the folder.
 */
export function createCopy() {
  const dir = createTemporaryFolder('gatehouse-break-');
  for (const file of sourceFiles()) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    copyFileSync(join(root, file), join(dir, file), constants.COPYFILE_FICLONE);
  }
  for (const folder of GENERATED) {
    if (existsSync(join(root, folder))) {
      const filter = (path) => !MACHINES.test(relative(root, path));
      cpSync(join(root, folder), join(dir, folder), { recursive: true, filter });
    }
  }
  const members = workspacePackages().map((member) => relative(root, member.dir));
  for (const folder of ['', ...members]) copyLinks(join(folder, 'node_modules'), dir);
  symlinkSync(join(root, 'node_modules/.pnpm'), join(dir, 'node_modules/.pnpm'));
  assertOwnPackages(dir, members);
  return dir;
}

function sourceFiles() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error('git ls-files failed, which lists the files to copy.');
  return [...new Set(stdout.split('\0'))].filter((file) => file && existsSync(join(root, file)));
}

/** The links are relative, so those to workspace packages lead into the copy, the others to its `.pnpm`. */
function copyLinks(folder, dir) {
  const from = join(root, folder);
  if (!existsSync(from)) return;
  mkdirSync(join(dir, folder), { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(join(root, path)), join(dir, path));
    else if (entry.isDirectory() && entry.name.startsWith('@')) copyLinks(path, dir);
  }
}

/** A test that read a package from the working tree would not see a patch of the copy. */
function assertOwnPackages(dir, members) {
  for (const member of members) {
    const scope = join(dir, member, 'node_modules/@gatehouse');
    if (!existsSync(scope)) continue;
    for (const name of readdirSync(scope)) {
      const target = realpathSync(join(scope, name));
      if (!target.startsWith(dir + sep)) {
        throw new Error(
          `@gatehouse/${name} in the copy of ${member} leads to ${target}, outside the copy.`,
        );
      }
    }
  }
}
