// npm start: installs and builds what is not up to date, then runs the server.
import { spawn } from 'node:child_process';
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
server.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});
