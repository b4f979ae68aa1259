#!/usr/bin/env node
import { readCommandLine } from './command-line.ts';
import { run } from './run.ts';
import { runSignInLink } from './sign-in-link-command.ts';
import { version } from './version.ts';

const command = readCommandLine(process.argv.slice(2), version);
if (command.kind === 'run') {
  await run(process.env);
} else if (command.kind === 'sign-in-link') {
  await runSignInLink(process.env, command.email);
} else if (command.kind === 'print') {
  process.stdout.write(command.text);
} else {
  process.stderr.write(command.text);
  process.exitCode = 1;
}
