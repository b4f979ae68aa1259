import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../lib/run.mjs';
import { requireDebian } from './debian.mjs';
import { openShell } from './shell.mjs';

const BOOT = [
  '--quiet',
  '--boot',
  '--register=no',
  '--keep-unit',
  '--private-network',
  '--machine=gatehouse',
  '--resolv-conf=off',
  '--timezone=off',
  '--link-journal=no',
];

/** Ends when systemd has started everything; fails when something did not start. */
const BOOTED = `
until [ -S /run/systemd/private ]; do sleep 0.1; done
systemctl is-system-running --wait
`;

/** Milliseconds in which a machine ends in order. */
const END = 30_000;

/**
 * Boots a new Debian with systemd as its first process and its own network, a loopback interface. It
 * has the Node that runs here, and knows gatehouse.example.com as its own name, as DNS would.
 *
 * @param folder - where its root is to be; must not exist
 * @throws CommandFailed; Error when it does not become ready
 */
export async function bootMachine(folder) {
  await run('cp', ['--archive', await requireDebian(), folder]);
  appendFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost gatehouse.example.com\n');
  const node = `--bind-ro=${process.execPath}:/usr/bin/node`;
  const container = spawn('systemd-nspawn', [...BOOT, `--directory=${folder}`, node], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const written = [];
  container.stderr.on('data', (chunk) => written.push(chunk));
  process.once('exit', () => container.kill('SIGKILL'));
  const exited = once(container, 'exit');
  const leader = await findLeader(container);
  if (leader === undefined) throw new Error(`systemd-nspawn ended.\n${Buffer.concat(written)}`);
  const machine = { leader, folder };
  const shell = openShell(machine);
  await shell.run(BOOTED, { isQuiet: true });
  return {
    ...machine,
    shell,
    async stop() {
      shell.close();
      container.kill('SIGTERM');
      const timer = setTimeout(() => container.kill('SIGKILL'), END);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** The process id of the systemd in the container once it is that, or `undefined` if the container has ended. */
async function findLeader(container) {
  while (container.exitCode === null && container.signalCode === null) {
    const [child] = childrenOf(container.pid);
    if (child !== undefined && nameOf(child) === 'systemd') return child;
    await delay(50);
  }
  return undefined;
}

function childrenOf(process) {
  return read(`/proc/${process}/task/${process}/children`).split(' ').filter(Boolean).map(Number);
}

const nameOf = (process) => read(`/proc/${process}/comm`).trim();

/** The text of a file that is there as long as a process is. */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
