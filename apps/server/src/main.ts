#!/usr/bin/env node
import { runCommandLine } from './commands/run-command-line.ts';
import { run } from './run.ts';
import { version } from './version.ts';

// Whatever this process creates is for its own user alone.
process.umask(0o077);

const args = process.argv.slice(2);
if (args.length === 0 || (args.length === 1 && args[0] === 'serve')) {
  await run(process.env);
} else {
  const { env: environment, stdout, stderr } = process;
  process.exitCode = await runCommandLine(args, { environment, version, stdout, stderr });
}
