import { execFile } from 'node:child_process';

/** What a program printed (stdout, then stderr) and its exit code. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Options of {@link runCommand}. */
export interface RunOptions {
  readonly cwd: string;
  /** Added to the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Milliseconds after which a program is killed. */
const TIME_LIMIT = 480_000;

/** Runs a program to its end. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env }: RunOptions,
): Promise<Outcome> {
  const options = { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, timeout: TIME_LIMIT };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, output: stdout + stderr });
    });
  });
}

/**
 * Runs a program that must succeed.
 *
 * @returns what it printed
 * @throws Error with what it printed if its exit code is not 0
 */
export async function mustRun(...call: Parameters<typeof runCommand>): Promise<string> {
  const { code, output } = await runCommand(...call);
  if (code === 0) return output;
  throw new Error(`${call[0]} ${call[1].join(' ')} ended with ${code}:\n${output}`);
}
