// npm start: installs and builds what is not up to date, then runs the server, and builds the documentation beside it.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { CommandFailed } from './lib/run.mjs';
import { onSignals } from './lib/signals.mjs';
import { root } from './lib/workspace.mjs';

try {
  await install();
  await build(['@gatehouse/server']);
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}

// The server has its own process group, so that it gets each signal once, from here.
const server = spawn(process.execPath, [join(root, 'apps/server/dist/main.js')], {
  stdio: 'inherit',
  detached: true,
});
onSignals((signal) => server.kill(signal));

// The documentation takes as long to build as the server, and the first start needs only the server. A group, so that
// everything the build has started ends with it.
const site = spawn(process.execPath, [join(root, 'scripts/docs-site.mjs')], {
  stdio: 'ignore',
  detached: true,
});
setPriority(site.pid, constants.priority.PRIORITY_LOW);
site.on('exit', (code) => {
  if (code) console.error('The documentation was not built. `npm run docs:site` says why.');
});

server.on('exit', (code, signal) => {
  if (site.exitCode === null && site.signalCode === null) process.kill(-site.pid);
  process.exitCode = signal === null ? (code ?? 1) : 1;
});
