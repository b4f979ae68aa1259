import { runCommandLine } from '../../src/commands/run-command-line.ts';

/** What a command has printed, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process. */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  version = '1.2.3',
): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommandLine(args, {
    environment,
    version,
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
  });
  return { code, stdout: out.join(''), stderr: err.join('') };
}
