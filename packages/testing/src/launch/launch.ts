import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type CapturedOutput, captureOutput } from './output.ts';
import { type ProcessUsage, readUsage } from './usage.ts';

/** How to know that a process is ready: a line that it writes, or a URL that answers 200. */
export type ReadyWhen = ((line: string) => boolean) | { readonly url: string };

/** Options of {@link launch}. */
export interface LaunchOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** The whole environment but for `PATH` and `HOME`: nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly readyWhen: ReadyWhen;
  /** Milliseconds to wait for readiness; default 30,000. */
  readonly timeout?: number;
  /**
   * Signals go to the program and all that it starts, as those of a terminal's keys do; default: to
   * the program alone.
   */
  readonly asGroup?: boolean;
}

/** How a process ended: one of the two is null. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running process. */
export interface LaunchedProcess extends CapturedOutput {
  readonly pid: number;
  /** Settles when the process has ended and all of its output has been read. */
  readonly exited: Promise<ExitStatus>;
  /** Sends the signal (default SIGTERM) and waits for the end; no error when it has ended before. */
  stop(signal?: NodeJS.Signals): Promise<ExitStatus>;
  /** SIGKILL: the process gets no chance to tidy up. */
  kill9(): Promise<ExitStatus>;
  /** SIGSTOP: sockets stay open, nothing is answered. A stopped process handles no SIGTERM. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  usage(): Promise<ProcessUsage>;
}

/** Thrown by {@link launch}; `output` is what the process wrote. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
  readonly code: 'exited_before_ready' | 'not_ready_in_time';
  readonly exit: ExitStatus | undefined;
  readonly output: CapturedOutput;

  constructor(code: LaunchError['code'], output: CapturedOutput, exit?: ExitStatus) {
    super(`${code} ${JSON.stringify(exit ?? {})}\n${output.stdout}\n${output.stderr}`);
    this.code = code;
    this.exit = exit;
    this.output = output;
  }
}

const POLL_INTERVAL = 25;

type Send = (signal: NodeJS.Signals) => void;

const running = new Set<Send>();
process.once('exit', () => {
  for (const send of running) send('SIGKILL');
});

/**
 * Starts a real process and waits until it is ready. Whatever still runs when the test process
 * exits of its own accord is killed; a test stops what it starts all the same, since a test runner
 * may end its workers by a signal.
 *
 * @throws LaunchError when the process ends, or time runs out, before it is ready.
 */
export async function launch(options: LaunchOptions): Promise<LaunchedProcess> {
  const {
    command,
    args = [],
    env = {},
    cwd,
    readyWhen,
    timeout = 30_000,
    asGroup = false,
  } = options;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: asGroup,
    ...(cwd !== undefined && { cwd }),
  });
  const lines = new EventEmitter();
  const output = captureOutput(child, (line) => void lines.emit('line', line));
  const send = sender(child, asGroup);
  const exited = watchExit(child, send);
  const settled = new AbortController();
  const { signal } = settled;
  try {
    await Promise.race([
      typeof readyWhen === 'function'
        ? untilLine(lines, readyWhen, signal)
        : untilOk(readyWhen.url, signal),
      exited.then((exit) => Promise.reject(new LaunchError('exited_before_ready', output, exit))),
      delay(timeout, undefined, { signal }).then(() =>
        Promise.reject(new LaunchError('not_ready_in_time', output)),
      ),
    ]);
  } catch (error) {
    send('SIGKILL');
    await exited.catch(() => undefined);
    throw error;
  } finally {
    settled.abort();
  }
  return toLaunchedProcess(child.pid, send, exited, output);
}

function sender(child: ChildProcess, asGroup: boolean): Send {
  const { pid } = child;
  if (!asGroup || pid === undefined) return (signal) => void child.kill(signal);
  return (signal) => {
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // ESRCH: nobody of the group is left.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  };
}

async function watchExit(child: ChildProcess, send: Send): Promise<ExitStatus> {
  running.add(send);
  try {
    const [code, signal] = await once(child, 'close');
    return { code, signal };
  } finally {
    running.delete(send);
  }
}

async function untilLine(
  lines: EventEmitter,
  isReady: (line: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for await (const [line] of on(lines, 'line', { signal })) if (isReady(line)) return;
}

async function untilOk(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const response = await fetch(url, { signal }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await delay(POLL_INTERVAL, undefined, { signal });
  }
}

function toLaunchedProcess(
  pid: number | undefined,
  send: Send,
  exited: Promise<ExitStatus>,
  output: CapturedOutput,
): LaunchedProcess {
  if (pid === undefined) throw new TypeError('A process that became ready has no pid');
  const end = (signal: NodeJS.Signals): Promise<ExitStatus> => {
    send(signal);
    return exited;
  };
  return {
    pid,
    exited,
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
    hasWritten: output.hasWritten,
    stop: (signal = 'SIGTERM') => end(signal),
    kill9: () => end('SIGKILL'),
    pause: () => void send('SIGSTOP'),
    resume: () => void send('SIGCONT'),
    usage: () => readUsage(pid),
  };
}
