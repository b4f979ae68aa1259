// npm run clients: real clients of others meet a temporary Gatehouse as a person who has not connected.
// npm run clients -- [--verbose] [name …]
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/lib/build.mjs';
import { install } from '../../scripts/lib/install.mjs';
import { findNewerNode } from '../../scripts/lib/newer-node.mjs';
import { CommandFailed, run } from '../../scripts/lib/run.mjs';
import { runUnlessDone } from '../../scripts/lib/stamp.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

await install();
await build(['@gatehouse/server']);
await installClients();
const node = findNewerNode() ?? process.execPath;
const args = ['--conditions=@gatehouse/source', `${root}runner/main.ts`, ...process.argv.slice(2)];
await run(node, args).catch((error) => {
  if (!(error instanceof CommandFailed)) throw error;
  process.exit(1);
});

/** About 2 GB. No install script runs, except for two clients that install their program with it. */
async function installClients() {
  const npm = (...rest) => run('npm', rest, { cwd: root, quiet: true });
  await runUnlessDone(
    {
      name: 'install clients',
      inputs: [`${root}package-lock.json`],
      outputs: [`${root}node_modules`],
    },
    async () => {
      console.log('Installing the clients ...');
      // Not `npm ci`: it refuses a lock file that lacks packages for other platforms, as some registries do.
      await npm('install', '--no-save');
      await npm('rebuild', '--ignore-scripts=false', '@anthropic-ai/claude-code', 'opencode-ai');
    },
  );
}
