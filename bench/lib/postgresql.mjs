import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './processes.mjs';

const require = createRequire(new URL('../../apps/server/package.json', import.meta.url));
const pg = require('pg');

/** The folder of `initdb` and `postgres`: where distributions put it, newest first, or in `PATH`. */
function binaries() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(root, version, 'bin'));
  const found = [...folders, ...(process.env.PATH ?? '').split(':')].find((folder) =>
    existsSync(join(folder, 'initdb')),
  );
  if (found === undefined) {
    throw new Error('No initdb found: install PostgreSQL 15 or later, or set DATABASE_URL.');
  }
  return found;
}

/**
 * The server that `DATABASE_URL` or `TEST_DATABASE_URL` names, or else a temporary cluster with
 * PostgreSQL's default settings. The databases of the benchmark are dropped in either case.
 */
export async function startPostgresql() {
  const given = process.env.DATABASE_URL ?? process.env.TEST_DATABASE_URL;
  return given === undefined ? startCluster() : new Postgresql(given, undefined, async () => {});
}

async function startCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-pg-'));
  const bin = binaries();
  const data = join(folder, 'data');
  const port = await freePort();
  const as = unprivileged(folder);
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '--no-sync'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: folder,
    env,
    ...as,
  });
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = [
    '-c',
    'logging_collector=on',
    '-c',
    'log_directory=log',
    '-c',
    'log_filename=server.log',
  ];
  const format = ['-c', 'log_line_prefix=%a|'];
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...args, ...log, ...format], {
    stdio: 'ignore',
    cwd: folder,
    env,
    ...as,
  });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const kill = () => {
    child.kill('SIGQUIT');
    remove();
  };
  process.on('exit', kill);
  const url = `postgresql://bench@127.0.0.1:${port}/postgres`;
  const postgresql = new Postgresql(url, child.pid, async () => {
    process.off('exit', kill);
    child.kill('SIGINT');
    await once(child, 'exit');
    remove();
  });
  postgresql.logFile = join(data, 'log/server.log');
  await postgresql.untilReady();
  return postgresql;
}

/** PostgreSQL refuses to run as root. Then it runs as `postgres`, the user of its packages. */
function unprivileged(folder) {
  if (process.getuid() !== 0) return {};
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const ids = { uid: idOf('-u'), gid: idOf('-g') };
  chownSync(folder, ids.uid, ids.gid);
  return ids;
}

class Postgresql {
  /** The log of a cluster that the benchmark started; `undefined` for any other server. */
  logFile;
  #url;
  #close;
  #databases = [];

  constructor(url, pid, close) {
    this.#url = url;
    this.pid = pid;
    this.#close = close;
  }

  async untilReady() {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.query('SELECT 1');
      } catch (error) {
        if (attempt === 200) throw error;
      }
      await delay(50);
    }
  }

  /** @returns the rows. */
  async query(sql, url = this.#url) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** @returns the connection string of a new, empty database. */
  async createDatabase() {
    const name = `gatehouse_bench_${process.pid}_${this.#databases.length}`;
    await this.query(`CREATE DATABASE ${name}`);
    this.#databases.push(name);
    const url = new URL(this.#url);
    url.pathname = `/${name}`;
    return url.href;
  }

  async version() {
    const [row] = await this.query('SHOW server_version');
    return row.server_version.split(' ')[0];
  }

  /** What is logged while `work` runs, including statements. Lines begin with the application's name. */
  async statementsDuring(work) {
    const configure = async (value) => {
      await this.query(`ALTER SYSTEM SET log_statement = '${value}'`);
      await this.query('SELECT pg_reload_conf()');
      await delay(300);
    };
    await configure('all');
    const from = readFileSync(this.logFile, 'utf8').length;
    await work();
    await delay(300);
    const text = readFileSync(this.logFile, 'utf8').slice(from);
    await configure('none');
    return text;
  }

  async close() {
    for (const name of this.#databases) {
      await this.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
    await this.#close();
  }
}
