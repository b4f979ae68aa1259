import { execFile } from 'node:child_process';
import { serverArgs } from '@gatehouse/harness';
import { noteSecret } from './logs.ts';

/** What a command has printed, and its exit code. */
export interface RanCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document of `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a document
  readonly json: any;
}

/** Runs the built `gatehouse` with these variables alone. */
export function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RanCommand> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env } };
    execFile(process.execPath, [...serverArgs, ...args], options, (error, stdout, stderr) => {
      const code = Number(error?.code ?? 0);
      const json = args.includes('--json') ? JSON.parse(stdout) : undefined;
      for (const [secret] of stdout.matchAll(/gh_pat_[\w-]+|\b[A-Za-z0-9+/]{43}=/g)) {
        noteSecret('what a command has printed', secret);
      }
      resolve({ code, stdout, stderr, json });
    });
  });
}
