import { parseArgs } from 'node:util';
import { SETTINGS } from './platform/config/settings.ts';

/** What the arguments of the program ask for. */
export type Command =
  | { readonly kind: 'run' }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'refuse'; readonly text: string };

/** The program takes its configuration from the environment; arguments only ask about it. */
export function readCommandLine(args: readonly string[], version: string): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    if (values.help) return { kind: 'say', text: usage() };
    if (values.version) return { kind: 'say', text: `${version}\n` };
    return { kind: 'run' };
  } catch (error) {
    const { message } = error as Error;
    return { kind: 'refuse', text: `${message}\nTry gatehouse --help.\n` };
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
