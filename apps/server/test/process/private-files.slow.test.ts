import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type LaunchedGatehouse, serverArgs } from '@gatehouse/harness';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { startRefused, startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const RIGHTS_OF_OTHERS = 'other users have rights in the data directory';

/** A data directory that every user may enter and write to, as a careless `mkdir` or a volume makes it. */
function openDirectory(): string {
  const parent = temporaryDirectory();
  chmodSync(parent, 0o777);
  const directory = join(parent, 'data');
  mkdirSync(directory);
  chmodSync(directory, 0o777);
  return directory;
}

/** What others have rights to, and how many entries there are. */
function openEntries(directory: string): { readonly open: string[]; readonly all: number } {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const paths = [directory, ...names.map((name) => join(directory, name))];
  const open = paths.filter((path) => {
    const found = lstatSync(path);
    return !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
  });
  return { open, all: paths.length };
}

/** Runs a command with the loosest umask. */
function run(dataDir: string, ...args: string[]): SpawnSyncReturns<string> {
  const script = 'umask 000; exec "$@"';
  return spawnSync('sh', ['-c', script, 'sh', process.execPath, ...serverArgs, ...args], {
    env: { PATH: process.env.PATH, GATEHOUSE_DATA_DIR: dataDir },
    encoding: 'utf8',
  });
}

/** Starts a server with the loosest umask. */
async function start(dataDir: string): Promise<LaunchedGatehouse> {
  const before = process.umask(0);
  const starting = startServer({ dataDir });
  try {
    return await starting;
  } finally {
    process.umask(before);
  }
}

/** Exits with 0 if one of the paths can be read or written. */
const CAN_REACH_ONE = 'for each; do [ -r "$each" ] || [ -w "$each" ] && exit 0; done; exit 1';

function asNobody(...command: [string, ...string[]]): number | null {
  const [program, ...args] = command;
  return spawnSync(program, args, { uid: NOBODY, gid: NOBODY, stdio: 'ignore' }).status;
}

/** Each test goes on where the last has ended. */
describe('in a directory that every user may write to', () => {
  const dataDir = openDirectory();
  const theirs = join(dataDir, 'theirs');
  const outside = temporaryDirectory();
  const elsewhere = join(outside, 'elsewhere');
  let server: LaunchedGatehouse;

  beforeAll(async () => {
    writeFileSync(elsewhere, '');
    chmodSync(elsewhere, 0o644);
    symlinkSync(elsewhere, join(dataDir, 'planted'));
    mkdirSync(theirs, { mode: 0o700 });
    if (isRoot) chownSync(theirs, NOBODY, NOBODY);
    server = await start(dataDir);
  });

  test('a first start closes everything to other users, whatever the umask', () => {
    const { open, all } = openEntries(dataDir);
    expect(open).toEqual([]);
    expect(all).toBeGreaterThan(1_000);
  });

  test('it does not follow a link that another user has planted', () => {
    expect(lstatSync(elsewhere).mode & 0o777).toBe(0o644);
  });

  test.runIf(isRoot)('a folder of another user in it is counted, and stops no start', () => {
    expect(server.stdout).toContain(RIGHTS_OF_OTHERS);
  });

  test.runIf(isRoot)('another user can neither read nor write a byte', () => {
    const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    expect(names).toContain('control.sock');
    const paths = names.map((name) => join(dataDir, name));
    expect(asNobody('sh', '-c', CAN_REACH_ONE, 'sh', ...paths)).toBe(1);
    expect(asNobody('ls', dataDir)).not.toBe(0);
    expect(asNobody('touch', join(dataDir, 'planted-too'))).not.toBe(0);
  });

  test('commands create what they create for their user alone, with and without a server', async () => {
    const passphrase = join(outside, 'passphrase');
    writeFileSync(passphrase, 'a long enough passphrase', { mode: 0o600 });
    const made = (name: string) => join(outside, name);
    const write = (command: string, file: string) =>
      run(dataDir, command, made(file), '--passphrase-file', passphrase).status;
    expect(write('backup', 'while it runs')).toBe(0);
    await server.stop();
    expect(write('export', 'exported')).toBe(0);
    const token = ['--email', 'owner@localhost', '--scopes', 'management:read'];
    expect(run(dataDir, 'token', 'create', ...token).status).toBe(0);
    for (const name of ['while it runs', 'exported']) {
      expect({ name, mode: lstatSync(made(name)).mode & 0o777 }).toEqual({ name, mode: 0o600 });
    }
    expect(openEntries(dataDir).open).toEqual([]);
  });

  test('the next start closes what was opened meanwhile', async () => {
    rmSync(theirs, { recursive: true });
    for (const name of ['lock', 'encryption-key', 'database/PG_VERSION', 'database/base']) {
      chmodSync(join(dataDir, name), 0o777);
    }
    chmodSync(dataDir, 0o777);
    const next = await start(dataDir);
    expect(openEntries(dataDir).open).toEqual([]);
    expect(next.stdout).not.toContain(RIGHTS_OF_OTHERS);
    await next.stop();
  });
});

test.runIf(isRoot)('a directory of another user is refused, and stays empty', async () => {
  const dataDir = openDirectory();
  chownSync(dataDir, NOBODY, NOBODY);
  const { code, stderr } = await startRefused({ dataDir });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`${dataDir} belongs to user ${NOBODY}`),
  });
  expect(readdirSync(dataDir)).toEqual([]);
  expect(run(dataDir, 'check').stdout).toContain(`belongs to user ${NOBODY}`);
});
