#!/usr/bin/env node
import { version } from './version.ts';

// Whatever this process creates is for its own user alone.
process.umask(0o077);

// Imported by need: a command loads nothing of the server, which takes a second.
const args = process.argv.slice(2);
if (args.length === 0 || (args.length === 1 && args[0] === 'serve')) {
  const { run } = await import('./run.ts');
  await run(process.env);
} else {
  const { runCommandLine } = await import('./commands/run-command-line.ts');
  const { env: environment, stdout, stderr } = process;
  process.exitCode = await runCommandLine(args, { environment, version, stdout, stderr });
}
