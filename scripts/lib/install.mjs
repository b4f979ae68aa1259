import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { runUnlessDone } from './stamp.mjs';
import { root, workspacePackages } from './workspace.mjs';

/** Installs the dependencies of the lock file, unless they are installed. */
export async function install() {
  const folders = [root, ...workspacePackages().map(({ dir }) => dir)];
  const manifests = folders.map((folder) => join(folder, 'package.json'));
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await runUnlessDone(
    {
      name: 'install',
      inputs: [join(root, 'pnpm-lock.yaml'), join(root, 'pnpm-workspace.yaml'), ...manifests],
      outputs: folders.map((folder) => join(folder, 'node_modules')),
    },
    async () => {
      console.log('Installing dependencies ...');
      await run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'], {
        quiet: true,
        env: { CI: 'true' },
      });
    },
  );
}
