import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** What is run. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** How a program talks. */
export interface Manners {
  /** Whether what it has written since the last question is a whole answer. */
  readonly isAnswer: (written: string) => boolean;
  /** Whether it says something before it is asked. */
  readonly greets: boolean;
}

/** A running program, as its user sees it: by standard output alone. */
export interface Conversation {
  /** What it said at first; empty if it greets nobody. */
  readonly greeting: string;
  /** Writes a line, and resolves with the answer, or with what there is when the program ends. */
  ask(line: string): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds for one answer. */
const PATIENCE = 90_000;

export async function startConversation(
  { command, args, cwd, env }: Command,
  { isAnswer, greets }: Manners,
): Promise<Conversation> {
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  // Read so that it does not block, and shown if nothing else is.
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  // The program may have ended.
  child.stdin.on('error', () => undefined);
  let written = '';
  const answer = async (): Promise<string> => {
    const signal = AbortSignal.timeout(PATIENCE);
    const closed = once(child, 'close', { signal }).catch(() => undefined);
    while (!isAnswer(written) && child.exitCode === null && !signal.aborted) {
      await Promise.race([once(child.stdout, 'data', { signal }).catch(() => undefined), closed]);
    }
    return written || Buffer.concat(errors).toString();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  return {
    greeting: greets ? await answer() : '',
    ask(line) {
      written = '';
      child.stdin.write(`${line}\n`);
      return answer();
    },
    close: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await closed;
  clearTimeout(timer);
}
