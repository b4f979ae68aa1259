#!/usr/bin/env node
import { MORE_FILES, OUT_OF_FILES } from './platform/operator-error.ts';
import { version } from './version.ts';

// Whatever this process creates is for its own user alone.
process.umask(0o077);

const args = process.argv.slice(2);
try {
  await runProgram();
} catch (error) {
  if (!(error instanceof Error && 'code' in error && OUT_OF_FILES.has(error.code))) throw error;
  process.stderr.write(
    `The program cannot be loaded (${error.code}). ${MORE_FILES}, and start again.\n`,
  );
  process.exitCode = 1;
}

/** Imports by need: a command loads nothing of the server, which takes a second. */
async function runProgram(): Promise<void> {
  if (args.length === 0 || (args.length === 1 && args[0] === 'serve')) {
    const { run } = await import('./run.ts');
    await run(process.env);
  } else {
    const { runCommandLine } = await import('./commands/run-command-line.ts');
    const { env: environment, stdout, stderr } = process;
    for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe);
    process.exitCode = await runCommandLine(args, { environment, version, stdout, stderr });
  }
}

/** A reader that has seen enough, such as `head`, does not change how a command ends. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
