import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

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
  return spawnSync('sh', ['-c', script, 'sh', process.execPath, main, ...args], {
    env: { PATH: process.env.PATH, GATEHOUSE_DATA_DIR: dataDir },
    encoding: 'utf8',
  });
}

function asNobody(...command: [string, ...string[]]): number | null {
  const [program, ...args] = command;
  return spawnSync(program, args, { uid: NOBODY, gid: NOBODY, stdio: 'ignore' }).status;
}

describe('in a directory that every user may write to', () => {
  test('a first start closes everything to other users, and so does the next', async () => {
    const dataDir = openDirectory();
    const first = await startServer({ dataDir });
    const { open, all } = openEntries(dataDir);
    expect(open).toEqual([]);
    expect(all).toBeGreaterThan(1_000);
    await first.stop();

    for (const name of ['lock', 'encryption-key', 'database/PG_VERSION', 'database/base']) {
      chmodSync(join(dataDir, name), 0o777);
    }
    chmodSync(dataDir, 0o777);
    const next = await startServer({ dataDir });
    expect(openEntries(dataDir).open).toEqual([]);
    expect(next.stdout).not.toContain('other users have rights');
    await next.stop();
  });

  test('a command that runs without a server creates what it creates for its user alone', () => {
    const dataDir = openDirectory();
    chmodSync(dataDir, 0o700);
    const made = run(dataDir, 'token', 'create', 'owner@localhost', '--name', 'x');
    expect(made.status).not.toBeNull();
    const file = join(temporaryDirectory(), 'passphrase');
    writeFileSync(file, 'a long enough passphrase', { mode: 0o600 });
    const backup = join(dataDir, 'gatehouse.backup');
    run(dataDir, 'backup', backup, '--passphrase-file', file);
    expect(openEntries(dataDir).open).toEqual([]);
  });

  test.runIf(isRoot)('nobody, who is another user, can neither read nor write a byte', async () => {
    const dataDir = openDirectory();
    const server = await startServer({ dataDir });
    const wal = readdirSync(join(dataDir, 'database', 'pg_wal'))[0] ?? '';
    for (const name of [
      'encryption-key',
      'lock',
      'database/PG_VERSION',
      `database/pg_wal/${wal}`,
    ]) {
      expect(asNobody('cat', join(dataDir, name))).not.toBe(0);
      expect(asNobody('sh', '-c', `echo x >> ${join(dataDir, name)}`)).not.toBe(0);
    }
    expect(asNobody('ls', dataDir)).not.toBe(0);
    expect(asNobody('touch', join(dataDir, 'planted'))).not.toBe(0);
    await server.stop();
  });

  test.runIf(isRoot)('a link that another user has planted is not followed', async () => {
    const dataDir = openDirectory();
    const elsewhere = join(temporaryDirectory(), 'elsewhere');
    writeFileSync(elsewhere, '');
    chmodSync(elsewhere, 0o644);
    symlinkSync(elsewhere, join(dataDir, 'planted'));
    const server = await startServer({ dataDir });
    expect(lstatSync(elsewhere).mode & 0o777).toBe(0o644);
    await server.stop();
  });
});
