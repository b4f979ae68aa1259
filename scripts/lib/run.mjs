import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './workspace.mjs';

/** A command ended with another code than 0. */
export class CommandFailed extends Error {
  constructor(command, args, code) {
    super(`${[command, ...args].join(' ')} failed (${code}).`);
    this.name = 'CommandFailed';
  }
}

/**
 * Runs a command to its end. With `quiet`, its output is shown only if it fails.
 *
 * @throws CommandFailed
 */
export async function run(command, args, { cwd = root, env = {}, quiet = false } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  });
  const output = [];
  child.stdout?.on('data', (chunk) => output.push(chunk));
  child.stderr?.on('data', (chunk) => output.push(chunk));
  const [code, signal] = await once(child, 'close');
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new CommandFailed(command, args, code ?? signal);
}
