import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadOrCreateKeyFile } from '../../src/vault/key-file.ts';

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-key-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

describe('the key file', () => {
  it('is made once, readable by its owner alone, and read afterwards', async () => {
    const made = await loadOrCreateKeyFile(dataDir);
    expect(made).toHaveLength(1);
    expect(made[0]?.key).toHaveLength(32);
    expect((await stat(join(dataDir, 'encryption-key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['encryption-key']);
    expect(await loadOrCreateKeyFile(dataDir)).toEqual(made);
  });

  it('has one winner when several start at once', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => loadOrCreateKeyFile(dataDir)));
    expect(new Set(keys.flat().map(({ id, key }) => `${id}:${key.toString('hex')}`)).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['encryption-key']);
  });

  it('gets another id when it is made again', async () => {
    const [first] = await loadOrCreateKeyFile(dataDir);
    await rm(join(dataDir, 'encryption-key'));
    expect((await loadOrCreateKeyFile(dataDir))[0]?.id).not.toBe(first?.id);
  });

  it('is never written over when it cannot be read as a key', async () => {
    const path = join(dataDir, 'encryption-key');
    for (const text of ['', 'local-1:c2hvcnQ=\n', 'no key']) {
      await writeFile(path, text);
      await expect(loadOrCreateKeyFile(dataDir)).rejects.toThrow(
        'does not contain an encryption key',
      );
      expect(await readFile(path, 'utf8')).toBe(text);
    }
  });

  it('has its mode narrowed when a backup widened it', async () => {
    await loadOrCreateKeyFile(dataDir);
    await chmod(join(dataDir, 'encryption-key'), 0o644);
    await loadOrCreateKeyFile(dataDir);
    expect((await stat(join(dataDir, 'encryption-key'))).mode & 0o777).toBe(0o600);
  });
});
