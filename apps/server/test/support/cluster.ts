import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@gatehouse/harness';
import { createDirectoryOf, databaseUser } from './database-user.ts';

/** A PostgreSQL server of a test's own, to be stopped, killed and hung. */
export interface Cluster {
  readonly port: number;
  /** To its maintenance database, as its administrator. */
  readonly url: string;
  start(): void;
  /** `fast` ends the connections in order; `immediate` aborts, as a crash does. */
  stop(mode: 'fast' | 'immediate'): void;
  /** SIGSTOP to every process of the server: connections stay open, nothing answers. */
  hang(): void;
  /** SIGCONT. */
  goOn(): void;
  /** A copy that takes this one's place at its port when this one is stopped: read-only until `promote`. */
  createStandby(): Cluster;
  promote(): void;
  close(): void;
}

const binaries = findBinaries();

/** False where the PostgreSQL server is not installed; tests that need their own are skipped then. */
export const canStartCluster = binaries !== undefined;
if (!canStartCluster) {
  process.stdout.write('No PostgreSQL server is installed: tests that stop one are skipped.\n');
}

/** Creates and starts a server with an administrator `postgres` who needs no password. */
export async function startCluster(): Promise<Cluster> {
  const directory = createDirectory();
  run('initdb', ['-D', directory, '-U', 'postgres', '-A', 'trust', '--no-sync']);
  const cluster = clusterIn(directory, await findFreePort());
  cluster.start();
  return cluster;
}

function clusterIn(directory: string, port: number): Cluster {
  const control = (...args: string[]) => run('pg_ctl', ['-D', directory, '-w', ...args]);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c hot_standby=on`;
  const start = (): void => control('start', '-l', join(directory, 'log'), '-o', options);
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of processesOf(directory)) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended since it was listed.
      }
    }
  };
  return {
    port,
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop: (mode) => control('stop', '-m', mode),
    hang: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
    createStandby() {
      const copy = createDirectory();
      const source = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres'];
      run('pg_basebackup', [...source, '-D', copy, '-R']);
      return clusterIn(copy, port);
    },
    promote: () => control('promote'),
    close() {
      if (existsSync(join(directory, 'postmaster.pid'))) {
        signal('SIGCONT');
        control('stop', '-m', 'immediate');
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function createDirectory(): string {
  return createDirectoryOf(databaseUser(), 'gatehouse-cluster-');
}

/** What the server writes goes nowhere: a pipe to it would stay open as long as the server runs. */
function run(program: string, args: readonly string[]): void {
  if (binaries === undefined) throw new Error('No PostgreSQL server is installed.');
  const { status, error } = spawnSync(join(binaries, program), args, {
    stdio: 'ignore',
    cwd: tmpdir(),
    ...databaseUser(),
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`, { cause: error });
}

function processesOf(directory: string): number[] {
  const [first = ''] = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', first], { encoding: 'utf8' });
  return [first, ...stdout.trim().split(/\s+/)].filter((pid) => pid !== '').map(Number);
}

function findBinaries(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const debian = existsSync(versions)
    ? readdirSync(versions)
        .sort((one, other) => Number(one) - Number(other))
        .map((version) => join(versions, version, 'bin'))
    : [];
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return [stdout?.trim() ?? '', ...debian]
    .filter((path) => existsSync(join(path, 'initdb')))
    .at(-1);
}
