import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig, unknownVariables } from '../../../src/platform/config/config.ts';
import { messageFor } from './message-for.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secret-'));
afterAll(() => rmSync(folder, { recursive: true }));

const token = 'a-token-of-thirty-two-characters-or-more';

function fileWith(text: string): string {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, text);
  return path;
}

describe('a secret in a file', () => {
  test('is read without the line break at its end', () => {
    const url = 'postgresql://gatehouse:secret@db/gatehouse';
    const config = loadConfig({
      DATABASE_URL_FILE: fileWith(`${url}\n`),
      GATEHOUSE_ENCRYPTION_KEYS_FILE: fileWith(` k1:${Buffer.alloc(32).toString('base64')} \n`),
      GATEHOUSE_BOOTSTRAP_TOKEN_FILE: fileWith(token),
      GATEHOUSE_METRICS_TOKEN_FILE: fileWith(token),
    });
    expect(config).toMatchObject({
      databaseUrl: url,
      encryptionKeys: [{ id: 'k1', key: Buffer.alloc(32) }],
      bootstrapToken: token,
      metricsToken: token,
    });
  });

  test('is a setting that the server knows, but only of a secret', () => {
    const environment = { DATABASE_URL_FILE: '', GATEHOUSE_METRICS_TOKEN_FILE: '' };
    expect(unknownVariables({ ...environment, GATEHOUSE_PORT_FILE: '' })).toEqual([
      'GATEHOUSE_PORT_FILE',
    ]);
  });

  test('that is wrong is refused as its variable is', () => {
    expect(messageFor({ GATEHOUSE_METRICS_TOKEN_FILE: fileWith('short') })).toMatch(
      /^GATEHOUSE_METRICS_TOKEN: expected at least 32 characters/,
    );
  });

  test.each([
    ['that is not there', () => join(folder, 'none'), 'cannot be read (ENOENT)'],
    ['that is a folder', () => folder, 'cannot be read (EISDIR)'],
    ['that is empty', () => fileWith('\n'), 'is empty'],
    ['that is a device', () => '/dev/zero', 'cannot be read (it is over 64 KiB)'],
  ])('%s is refused without its path', (_, path, reason) => {
    expect(messageFor({ GATEHOUSE_METRICS_TOKEN_FILE: path() })).toBe(
      `GATEHOUSE_METRICS_TOKEN_FILE: the file ${reason}.`,
    );
  });

  test('that is needed once may be empty afterwards', () => {
    const environment = { GATEHOUSE_BOOTSTRAP_TOKEN_FILE: fileWith('\n') };
    expect(loadConfig(environment).bootstrapToken).toBeUndefined();
  });

  test('is not combined with its variable, and neither is quoted', () => {
    const environment = {
      GATEHOUSE_METRICS_TOKEN: token,
      GATEHOUSE_METRICS_TOKEN_FILE: fileWith(token),
    };
    expect(messageFor(environment)).toBe(
      'GATEHOUSE_METRICS_TOKEN: set it or GATEHOUSE_METRICS_TOKEN_FILE, not both.',
    );
  });
});
