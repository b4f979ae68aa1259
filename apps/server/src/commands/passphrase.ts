import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { CommandError, EXIT } from '../control/command-error.ts';
import type { CommandContext, OptionDefinition } from './definition.ts';

const VARIABLE = 'GATEHOUSE_BACKUP_PASSPHRASE';

/** It is never an argument, which every user of the machine could read. */
export const PASSPHRASE_OPTION: OptionDefinition = {
  flags: '--passphrase-file <path>',
  purpose: `Read the passphrase from the first line of this file. Default: the variable ${VARIABLE}, else it is asked for.`,
};

export interface PassphraseOptions {
  readonly passphraseFile: string | undefined;
  /** Whether a person types it twice, because it cannot be corrected later. */
  readonly isNew: boolean;
  readonly terminal?: Terminal;
}

/** Where a person types. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: { write(text: string): unknown };
}

/** @throws CommandError when it is missing */
export async function readPassphrase(
  { environment }: CommandContext,
  {
    passphraseFile,
    isNew,
    terminal = { input: process.stdin, output: process.stderr },
  }: PassphraseOptions,
): Promise<string> {
  const given =
    passphraseFile === undefined ? environment[VARIABLE] : await firstLine(passphraseFile);
  if (given) return given;
  if (passphraseFile !== undefined)
    throw new CommandError('The file of the passphrase is empty.', EXIT.usage);
  if (!terminal.input.isTTY) {
    throw new CommandError(
      `Nobody can be asked for the passphrase here. Give --passphrase-file, or set ${VARIABLE}.`,
      EXIT.usage,
    );
  }
  const typed = await askFor(terminal, 'Passphrase: ');
  if (isNew && (await askFor(terminal, 'The same again: ')) !== typed) {
    throw new CommandError('The two passphrases differ.', EXIT.usage);
  }
  return typed;
}

async function firstLine(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).split(/\r?\n/, 1)[0] ?? '';
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new CommandError(`The file of the passphrase cannot be read (${code}).`, EXIT.usage, {
      cause,
    });
  }
}

/** What is typed is not shown. */
async function askFor({ input, output }: Terminal, question: string): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: hidden, terminal: true });
  output.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new CommandError('Stopped.')));
    });
  } finally {
    lines.close();
    output.write('\n');
  }
}
