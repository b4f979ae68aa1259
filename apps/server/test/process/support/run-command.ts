import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { serverArgs } from '@gatehouse/harness';
import { version } from '../../../src/version.ts';
import { runHere } from '../../commands/run.ts';
import { noteSecret } from './logs.ts';
import { noteSecretSettings } from './servers.ts';

type Settings = Readonly<Record<string, string>>;
type CommandProcess = ChildProcessByStdio<null, Readable, Readable>;

/** How a command ended. */
export interface RanCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document of `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a document
  readonly json: any;
}

/** Runs a command of the built program with these settings and no others. */
export function runCommand(args: readonly string[], env: Settings = {}): Promise<RanCommand> {
  return endOf(args, start(args, env));
}

/** The same for a reader of standard output who goes away before anything is written. */
export async function runCommandUnread(
  args: readonly string[],
  env: Settings = {},
): Promise<Pick<RanCommand, 'code' | 'stderr'>> {
  const child = start(args, env);
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code: Number(code ?? NaN), stderr };
}

/** From its sources, in this process: without the second that a process takes to load them. */
export async function runCommandHere(
  args: readonly string[],
  env: Settings = {},
): Promise<RanCommand> {
  noteSecretSettings(env);
  return ranOf(args, await runHere(args, env, version));
}

/** Presses Ctrl-C as soon as the command has got that far. */
export async function interruptCommand(
  args: readonly string[],
  env: Settings,
  isSoFar: () => boolean,
): Promise<RanCommand> {
  const child = start(args, env);
  const ended = endOf(args, child);
  while (child.exitCode === null && !isSoFar()) await delay(1);
  child.kill('SIGINT');
  return ended;
}

function start(args: readonly string[], env: Settings): CommandProcess {
  noteSecretSettings(env);
  return spawn(process.execPath, [...serverArgs, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function endOf(args: readonly string[], child: CommandProcess): Promise<RanCommand> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  // null: a signal has ended it, which is no exit code of the command.
  return ranOf(args, { code: Number(code ?? NaN), stdout, stderr });
}

/** Tokens, keys, and what is secret of a sign-in link. */
const SECRETS = /gh_pat_[\w-]+|\b[A-Za-z0-9+/]{43}=|(?<=\/sign-in\/link\/)[\w-]{43}/g;

function ranOf(args: readonly string[], ran: Omit<RanCommand, 'json'>): RanCommand {
  for (const [secret] of ran.stdout.matchAll(SECRETS)) {
    noteSecret('what a command has printed', secret);
  }
  const isDocument = args.includes('--json') && ran.stdout !== '';
  return { ...ran, json: isDocument ? JSON.parse(ran.stdout) : undefined };
}
