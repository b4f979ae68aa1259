import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type CapturedOutput, captureOutput } from './output.ts';
import { type ProcessUsage, readUsage } from './usage.ts';

/** How to detect that a process is ready: by a line that it writes, or a URL that responds with 200. */
export type ReadyWhen = ((line: string) => boolean) | { readonly url: string };

/** Options of {@link launch}. */
export interface LaunchOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** The whole environment, besides `PATH` and `HOME`. Nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly readyWhen: ReadyWhen;
  /** Milliseconds to wait for readiness; default 120,000. */
  readonly timeout?: number;
  /**
   * Signals are sent to the program and everything it starts, as a terminal does with Ctrl-C.
   * Default: to the program only.
   */
  readonly asGroup?: boolean;
}

/** How a process ended. One of the two is null. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running process. */
export interface LaunchedProcess extends CapturedOutput {
  readonly pid: number;
  /** Settles when the process has ended and all of its output has been read. */
  readonly exited: Promise<ExitStatus>;
  /** Sends the signal (default SIGTERM) and waits for the end. No error if it has already ended. */
  stop(signal?: NodeJS.Signals): Promise<ExitStatus>;
  /** SIGKILL: the process cannot clean up. */
  kill9(): Promise<ExitStatus>;
  /** SIGSTOP: sockets stay open, nothing responds. A stopped process does not handle SIGTERM. */
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
 * Starts a real process and waits until it is ready. Processes that are still running when the test
 * process exits are killed. Tests should stop what they start all the same, because a test runner may
 * end its workers by a signal.
 *
 * @throws LaunchError if the process ends, or time runs out, before it is ready.
 */
export async function launch(options: LaunchOptions): Promise<LaunchedProcess> {
  const {
    command,
    args = [],
    env = {},
    cwd,
    readyWhen,
    timeout = 120_000,
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
      // ESRCH: no process of the group is left.
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
