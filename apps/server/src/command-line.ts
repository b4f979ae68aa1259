import { parseArgs } from 'node:util';
import { fileVariable } from './platform/config/secret-file.ts';
import { SETTINGS } from './platform/config/settings.ts';

/** What to do for the program's arguments. */
export type Command =
  | { readonly kind: 'run' }
  | { readonly kind: 'sign-in-link'; readonly email: string }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'fail'; readonly text: string };

/** The configuration comes from environment variables; arguments print help and version, or name a command. */
export function readCommandLine(args: readonly string[], version: string): Command {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    if (values.help) return { kind: 'print', text: usage() };
    if (values.version) return { kind: 'print', text: `${version}\n` };
    return readCommand(positionals);
  } catch (error) {
    return fail((error as Error).message);
  }
}

function readCommand([command, email, ...more]: readonly string[]): Command {
  if (command === undefined) return { kind: 'run' };
  if (command !== 'sign-in-link') return fail('There is no such command.');
  if (email === undefined || more.length > 0) return fail('Give sign-in-link one email.');
  return { kind: 'sign-in-link', email };
}

function fail(reason: string): Command {
  return { kind: 'fail', text: `${reason}\nTry gatehouse --help.\n` };
}

function usage(): string {
  const settings = Object.values(SETTINGS).map(
    ({ name, purpose, expected, fallback, isSecret }) =>
      `  ${name}\n      ${purpose}\n      Expected: ${expected}.\n      When not set: ${fallback}.\n${isSecret ? `      From a file: ${fileVariable(name)}.\n` : ''}`,
  );
  return `Usage: gatehouse [--help] [--version]
       gatehouse sign-in-link <email>

Starts the Gatehouse server. With sign-in-link, asks the running server, which has the same
GATEHOUSE_DATA_DIR, for a link that signs in that member once, within 15 minutes.

Environment variables configure the server:

${settings.join('')}`;
}
