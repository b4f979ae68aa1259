import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { noteSecretSettings } from './servers.ts';

const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

/** How a command of the built program ended. */
export interface RanCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the built program with these settings and no others. */
export function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RanCommand> {
  noteSecretSettings(env);
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}
