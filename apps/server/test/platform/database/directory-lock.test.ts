import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockDirectory } from '../../../src/platform/database/directory-lock.ts';

const serverRoot = fileURLToPath(new URL('../../../', import.meta.url));
const outDir = join(serverRoot, '.cache');

let root: string;
const contenders: ChildProcess[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gatehouse-lock-'));
  const entry = join(serverRoot, 'test/platform/database/lock-contender.ts');
  // As in the built server: the database's drivers are not bundled.
  const external = ['fs-native-extensions', /^@prisma\//];
  const output = { format: 'esm', outDir, outExtension } as const;
  const options = { ...output, external, config: false, silent: true };
  await build({ ...options, entry: { 'lock-contender': entry } });
});

afterAll(async () => {
  for (const contender of contenders) contender.kill('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

function outExtension() {
  return { js: '.mjs' };
}

async function startContender(): Promise<ChildProcess> {
  const contender = fork(join(outDir, 'lock-contender.mjs'), { execArgv: [] });
  contenders.push(contender);
  await once(contender, 'message');
  return contender;
}

async function tryToLock(contender: ChildProcess, directory: string): Promise<string> {
  const answer = once(contender, 'message');
  contender.send(directory);
  return String((await answer)[0]);
}

test('of two processes that start at once on one directory exactly one wins, fifty times', async () => {
  const pair = await Promise.all([startContender(), startContender()]);
  for (let round = 0; round < 50; round += 1) {
    const directory = join(root, `round-${round}`);
    const answers = await Promise.all(pair.map((contender) => tryToLock(contender, directory)));
    expect(answers.sort()).toEqual(['directory_in_use', 'locked']);
  }
});

test('a killed process leaves the directory free', async () => {
  const directory = join(root, 'killed');
  const holder = await startContender();
  expect(await tryToLock(holder, directory)).toBe('locked');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const lock = await lockDirectory(directory);
  await lock.release();
});

test('a process with a stalled event loop keeps the lock', async () => {
  const directory = join(root, 'stalled');
  const holder = await startContender();
  expect(await tryToLock(holder, directory)).toBe('locked');
  holder.kill('SIGSTOP');
  await expect(lockDirectory(directory)).rejects.toThrow(
    `The data directory ${directory} is in use by another Gatehouse process.`,
  );
});

/** A directory with the one file of a database that is locked. */
async function directoryWithDatabase(name: string): Promise<string> {
  const directory = join(root, name);
  await mkdir(join(directory, 'database', 'global'), { recursive: true });
  await writeFile(join(directory, 'database', 'global', 'pg_control'), 'control');
  return directory;
}

test('removing or replacing the lock file lets no other process in, even while the first is suspended', async () => {
  const directory = await directoryWithDatabase('name-removed');
  const holder = await startContender();
  expect(await tryToLock(holder, directory)).toBe('locked');
  holder.kill('SIGSTOP');
  await rm(join(directory, 'lock'));
  await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'directory_in_use' });
  await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'directory_in_use' });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await (await lockDirectory(directory)).release();
});

test.each([
  ['the lock file is removed', 'lock', (path: string) => rm(join(path, 'lock'))],
  [
    'the lock file is replaced',
    'lock',
    async (path: string) => {
      await writeFile(join(path, 'other'), '');
      await rename(join(path, 'other'), join(path, 'lock'));
    },
  ],
  [
    'the database is replaced',
    'database/global/pg_control',
    async (path: string) => {
      await rm(join(path, 'database'), { recursive: true });
      await directoryWithDatabase(basename(path));
    },
  ],
  ['the directory is moved away', 'lock', (path: string) => rename(path, `${path}-moved`)],
])('the process with the lock finds out when %s', async (what, file, remove) => {
  const directory = await directoryWithDatabase(what.replaceAll(' ', '-'));
  const lock = await lockDirectory(directory);
  expect(lock.findLoss()).toBeUndefined();
  await remove(directory);
  expect(lock.findLoss()?.message).toContain(`(lock_lost): ${file} in GATEHOUSE_DATA_DIR`);
  await lock.release();
  expect(lock.findLoss()).toBeUndefined();
});

test('a released directory can be locked again in the same process', async () => {
  const directory = join(root, 'again');
  const first = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'directory_in_use' });
  await first.release();
  await (await lockDirectory(directory)).release();
});

test('a directory that cannot be made is said to be unusable', async () => {
  await expect(lockDirectory('/dev/null/data')).rejects.toMatchObject({
    code: 'directory_unusable',
    message: expect.stringContaining('(ENOTDIR)'),
  });
});
