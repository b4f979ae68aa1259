import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { serverArgs } from '@gatehouse/harness';
import { noteSecretSettings } from './servers.ts';

type Settings = Readonly<Record<string, string>>;

/** How a command of the built program ended. */
export interface RanCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the built program with these settings and no others. */
export function runCommand(args: readonly string[], env: Settings = {}): Promise<RanCommand> {
  return start(args, env).ended;
}

/** Presses Ctrl-C as soon as the command has got that far. */
export async function interruptCommand(
  args: readonly string[],
  env: Settings,
  isSoFar: () => boolean,
): Promise<RanCommand> {
  const { child, ended } = start(args, env);
  while (child.exitCode === null && !isSoFar()) await delay(1);
  child.kill('SIGINT');
  return ended;
}

function start(
  args: readonly string[],
  env: Settings,
): { readonly child: ChildProcess; readonly ended: Promise<RanCommand> } {
  noteSecretSettings(env);
  const child = spawn(process.execPath, [...serverArgs, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, ended: endOf(child) };
}

async function endOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<RanCommand> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  // null: a signal has ended it, which is no exit code of the command.
  return { code: Number(code ?? NaN), stdout, stderr };
}
