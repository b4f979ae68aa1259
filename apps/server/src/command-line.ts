import { parseArgs } from 'node:util';
import { SETTINGS } from './platform/config/settings.ts';

/** What to do for the program's arguments. */
export type Command =
  | { readonly kind: 'run' }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'fail'; readonly text: string };

/** The configuration comes from environment variables; arguments only print help and version. */
export function readCommandLine(args: readonly string[], version: string): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    if (values.help) return { kind: 'print', text: usage() };
    if (values.version) return { kind: 'print', text: `${version}\n` };
    return { kind: 'run' };
  } catch (error) {
    const { message } = error as Error;
    return { kind: 'fail', text: `${message}\nTry gatehouse --help.\n` };
  }
}

function usage(): string {
  const settings = Object.values(SETTINGS).map(
    ({ name, purpose, expected, fallback }) =>
      `  ${name}\n      ${purpose}\n      Expected: ${expected}.\n      When not set: ${fallback}.\n`,
  );
  return `Usage: gatehouse [--help] [--version]

Starts the Gatehouse server. Environment variables configure it:

${settings.join('')}`;
}
