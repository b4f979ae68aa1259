import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { basename, extname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

let profiles;
let started = 0;

/** From now on, every process writes a CPU profile into this folder when it ends. */
export function profileInto(folder) {
  profiles = folder;
}

/**
 * Starts a Node process. Its standard output is dropped, its standard error is shown.
 *
 * @param hasIpc whether it sends and receives messages over IPC.
 */
export function startNode(file, { args = [], env = {}, hasIpc = false } = {}) {
  started += 1;
  const name = `${started}-${basename(file, extname(file))}.cpuprofile`;
  const options = profiles
    ? ['--cpu-prof', '--cpu-prof-name', name, '--cpu-prof-dir', profiles]
    : [];
  const child = spawn(process.execPath, [...options, file, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', ...(hasIpc ? ['ipc'] : [])],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** @returns milliseconds until `url` responded with 200. */
export async function untilReady(child, url, timeout = 60_000) {
  const startedAt = performance.now();
  while (performance.now() - startedAt < timeout) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended before it was ready.`);
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status === 200) return performance.now() - startedAt;
    await delay(10);
  }
  throw new Error(`${url} did not respond with 200 in time.`);
}

/** Stops a process in order, as an operator would. */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await once(child, 'exit');
  clearTimeout(timer);
}

export function ownPids() {
  return [...running].map(({ pid }) => pid);
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
