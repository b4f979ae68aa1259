import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  readSealedFile,
  type SealOptions,
  writeSealedFile,
} from '../../src/transfer/sealed-file.ts';
import { SEAL, temporaryDirectory } from './support/databases.ts';

const directory = temporaryDirectory();
let files = 0;

const LINES = [
  '{"first":"line"}',
  ...Array.from({ length: 12_000 }, (_, row) => `["é ${row}",null,"${Math.random()}"]`),
];

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

async function write(options: Partial<SealOptions> = {}, lines = LINES): Promise<string> {
  files += 1;
  const path = join(directory, `file-${files}`);
  await writeSealedFile(path, linesOf(lines), { ...SEAL, ...options });
  return path;
}

async function read(path: string, passphrase = SEAL.passphrase): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readSealedFile(path, passphrase)) lines.push(line);
  return lines;
}

describe('a sealed file', () => {
  it('gives back its lines, and only its owner may read it', async () => {
    const path = await write();
    expect(await read(path)).toEqual(LINES);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'latin1').slice(0, 30)).toContain('age-encryption.org/v1');
  });

  it('opens with its passphrase alone', async () => {
    const path = await write();
    await expect(read(path, 'correct horse batterz')).rejects.toMatchObject({
      code: 'wrong_passphrase',
      message: 'The passphrase does not open the file.',
    });
  });

  it('is refused when it was cut off anywhere', async () => {
    const bytes = readFileSync(await write());
    expect(bytes.length).toBeGreaterThan(2 * 65_536);
    const path = join(directory, 'cut');
    for (const length of [0, 20, 180, 400, 65_000, bytes.length - 17, bytes.length - 1]) {
      writeFileSync(path, bytes.subarray(0, length));
      await expect(read(path), `${length} bytes`).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:damaged|not_ours)$/),
      });
    }
  });

  it('is refused when one byte was changed, wherever it is', async () => {
    const bytes = readFileSync(await write());
    const path = join(directory, 'flipped');
    for (const place of [5, 60, 120, 200, 5_000, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      writeFileSync(path, changed);
      await expect(read(path), `byte ${place}`).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:damaged|not_ours|wrong_passphrase)$/),
      });
    }
  });

  it('is refused when it is something else, or not there', async () => {
    const path = join(directory, 'other');
    writeFileSync(path, 'SQLite format 3\u0000');
    await expect(read(path)).rejects.toMatchObject({ code: 'not_ours' });
    await expect(read(join(directory, 'nowhere'))).rejects.toMatchObject({
      code: 'file_unusable',
      message: 'The file cannot be read (ENOENT).',
    });
  });

  it('replaces a file only by force', async () => {
    const path = await write();
    const before = readFileSync(path);
    const again = (force: boolean) => writeSealedFile(path, linesOf(['{}']), { ...SEAL, force });
    await expect(again(false)).rejects.toMatchObject({ code: 'file_exists' });
    expect(readFileSync(path)).toEqual(before);
    await again(true);
    expect(await read(path)).toEqual(['{}']);
  });

  it('is not there when its lines failed, or the passphrase is short, or it was stopped', async () => {
    const before = readdirSync(directory);
    const failing = async function* () {
      yield 'a';
      throw new Error('no more rows');
    };
    const path = join(directory, 'never');
    await expect(writeSealedFile(path, failing(), SEAL)).rejects.toThrow('no more rows');
    await expect(write({ passphrase: 'short' })).rejects.toMatchObject({ code: 'weak_passphrase' });
    await expect(write({ signal: AbortSignal.abort() })).rejects.toThrow('abort');
    expect(readdirSync(directory)).toEqual(before);
  });

  it('cannot be written where there is no folder', async () => {
    await expect(
      writeSealedFile(join(directory, 'no', 'folder'), linesOf([]), SEAL),
    ).rejects.toMatchObject({ code: 'file_unusable' });
  });
});
