import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeSealedFile } from '../../src/transfer/sealed-file.ts';
import { SEAL, temporaryDirectory } from '../transfer/support/databases.ts';
import { runHere } from './run.ts';

const directory = temporaryDirectory();
const backup = join(directory, 'gatehouse.backup');
const other = join(directory, 'other.backup');
const dataDir = join(directory, 'refused');
const env = { GATEHOUSE_DATA_DIR: dataDir };
const passphrase = { GATEHOUSE_BACKUP_PASSPHRASE: SEAL.passphrase };

async function* noLines() {}

beforeAll(() => writeSealedFile(backup, noLines(), SEAL));

test('restore refuses another passphrase in one sentence, and writes nothing', async () => {
  const wrong = { GATEHOUSE_BACKUP_PASSPHRASE: 'seven words that someone guesses' };
  expect(await runHere(['restore', backup], { ...env, ...wrong })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The passphrase does not open the file.\n',
  });
  expect(existsSync(dataDir)).toBe(false);
});

test('backup refuses a name that is taken, and a directory without a database', async () => {
  expect(await runHere(['backup', backup], { ...env, ...passphrase })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ exists\. Choose another name, or replace it with --force\.\n$/),
  });
  expect(await runHere(['backup', other], { ...env, ...passphrase })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no database in [^\n]+\n$/),
  });
  expect([existsSync(dataDir), existsSync(other)]).toEqual([false, false]);
});

test('backup names the tool of PostgreSQL, and not its password', async () => {
  const postgresql = { DATABASE_URL: 'postgresql://somebody:hunter2secret@127.0.0.1:9/none' };
  const refused = await runHere(['backup', other], { ...postgresql, ...passphrase });
  expect(refused).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('pg_dump'),
  });
  expect(refused.stderr).not.toContain('hunter2secret');
  expect(existsSync(other)).toBe(false);
});
