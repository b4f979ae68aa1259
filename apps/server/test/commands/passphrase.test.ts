import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../src/commands/definition.ts';
import { readPassphrase } from '../../src/commands/passphrase.ts';
import { createProgress } from '../../src/commands/progress.ts';
import { temporaryDirectory } from '../transfer/support/databases.ts';

const directory = temporaryDirectory();

function contextOf(environment: CommandContext['environment'] = {}): CommandContext {
  return { environment, version: '1.2.3', progress: createProgress({ write: () => {} }) };
}

/** A terminal that answers each question with the next of these lines. */
function terminalOf(...lines: readonly string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const shown: string[] = [];
  const left = [...lines];
  const write = (text: string) => {
    shown.push(text);
    if (text.endsWith(': ')) setImmediate(() => input.write(`${left.shift()}\n`));
  };
  return { input, output: { write }, shown };
}

const asked = { passphraseFile: undefined, isNew: true };

describe('a passphrase', () => {
  it('comes from a file, or else from the variable', async () => {
    const passphraseFile = join(directory, 'passphrase');
    writeFileSync(passphraseFile, 'from the file\nand more\n');
    const context = contextOf({ GATEHOUSE_BACKUP_PASSPHRASE: 'from the variable' });
    expect(await readPassphrase(context, { passphraseFile, isNew: true })).toBe('from the file');
    expect(await readPassphrase(context, asked)).toBe('from the variable');
  });

  it('is typed twice when it is new, and never shown', async () => {
    const terminal = terminalOf('correct horse battery', 'correct horse battery');
    expect(await readPassphrase(contextOf(), { ...asked, terminal })).toBe('correct horse battery');
    expect(terminal.shown.join('')).toBe('Passphrase: \nThe same again: \n');
    const differing = terminalOf('correct horse battery', 'correct horse batterz');
    await expect(readPassphrase(contextOf(), { ...asked, terminal: differing })).rejects.toThrow(
      'The two passphrases differ.',
    );
    const once = terminalOf('correct horse battery');
    const opening = { ...asked, isNew: false, terminal: once };
    expect(await readPassphrase(contextOf(), opening)).toBe('correct horse battery');
  });

  it('is reported missing in one sentence if the file lacks it or no terminal can be asked', async () => {
    const terminal = { input: new PassThrough(), output: { write: () => {} } };
    await expect(readPassphrase(contextOf(), { ...asked, terminal })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('Nobody can be asked'),
    });
    const empty = join(directory, 'empty');
    writeFileSync(empty, '\n');
    for (const passphraseFile of [empty, join(directory, 'nowhere')]) {
      await expect(readPassphrase(contextOf(), { ...asked, passphraseFile })).rejects.toMatchObject(
        { exitCode: 2 },
      );
    }
  });
});
