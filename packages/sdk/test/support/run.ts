import { execFile } from 'node:child_process';

/** What a process printed, and the code it ended with. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end; stdout and stderr are joined. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Outcome> {
  const env = { ...process.env, NO_COLOR: '1', ...options.env };
  return new Promise((resolve) => {
    execFile(command, args, { cwd: options.cwd, env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, output: stdout + stderr });
    });
  });
}

/** The same, for programs that must succeed. */
export async function mustRun(...call: Parameters<typeof run>): Promise<string> {
  const { code, output } = await run(...call);
  if (code === 0) return output;
  throw new Error(`${call[0]} ${call[1].join(' ')} ended with ${code}:\n${output}`);
}
