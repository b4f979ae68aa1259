import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The sum of the files below a folder, in bytes. Links count as nothing. */
export function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + sizeOf(path);
    return sum + (entry.isFile() ? lstatSync(path).size : 0);
  }, 0);
}

/**
 * Starts an artefact in a new folder, with its embedded database, and stops it once it is ready.
 *
 * @returns milliseconds from the start of the process until it said that it is ready
 * @throws Error with what it wrote when it did not become ready or did not end with 0
 */
export async function coldStart(artefact, folder) {
  mkdirSync(folder);
  const { PATH } = process.env;
  const env = { PATH, NODE_ENV: 'production', GATEHOUSE_PORT: '0' };
  const startedAt = performance.now();
  const server = spawn(process.execPath, [join(artefact, 'dist/main.js')], {
    cwd: folder,
    env: { ...env, GATEHOUSE_PUBLIC_URL: 'http://127.0.0.1:1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = [];
  let readyAfter;
  server.stderr.on('data', (chunk) => written.push(chunk));
  createInterface({ input: server.stdout }).on('line', (line) => {
    if (!line.startsWith('Gatehouse is ready at ')) return;
    readyAfter = performance.now() - startedAt;
    server.kill('SIGTERM');
  });
  const [code] = await once(server, 'close');
  if (readyAfter !== undefined && code === 0) return readyAfter;
  throw new Error(`The artefact ended with ${code}.\n${Buffer.concat(written)}`);
}
