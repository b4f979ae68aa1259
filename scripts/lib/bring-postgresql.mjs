import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isPostgresqlReachable } from './postgresql.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from './temporary-folder.mjs';

const PROGRAMS = '/usr/lib/postgresql';
const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf';

/**
 * Makes sure that a PostgreSQL answers the tests: the one that they expect, or one started here until this
 * process ends, from the installed programs or, as root, from Debian's packages.
 *
 * @returns why there is no PostgreSQL; undefined if there is one.
 */
export async function bringPostgresql() {
  if (await isPostgresqlReachable()) return undefined;
  if (process.env.TEST_DATABASE_URL !== undefined) return 'TEST_DATABASE_URL does not answer';
  if (findPrograms() === undefined && !installPrograms()) {
    return "it is not installed, and Debian's packages cannot be";
  }
  return (await startCluster()) ? undefined : 'it does not start';
}

function findPrograms() {
  const versions = existsSync(PROGRAMS) ? readdirSync(PROGRAMS) : [];
  return versions
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(PROGRAMS, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

function installPrograms() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log("Installing Debian's PostgreSQL ...");
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: 'ignore' }).status;
  const install = (name) => apt('install', '-y', '--no-install-recommends', name) === 0;
  if (apt('update') !== 0 || !install('postgresql-common')) return false;
  // The server package would otherwise start a cluster on port 5432.
  const settings = readFileSync(CLUSTER_SETTINGS, 'utf8');
  writeFileSync(
    CLUSTER_SETTINGS,
    settings.replace(/^#?create_main_cluster.*$/m, 'create_main_cluster = false'),
  );
  return install('postgresql') && findPrograms() !== undefined;
}

/** Starts a cluster in the temporary folder and names it to the tests. @returns whether it answers. */
async function startCluster() {
  const folder = createTemporaryFolder('gatehouse-postgresql-');
  const user = databaseUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { cwd: folder, stdio: 'ignore', ...user };
  const program = (name) => join(findPrograms(), name);
  const data = join(folder, 'data');
  execFileSync(program('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-N'], options);
  const port = await findFreePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    fsync: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(program('postgres'), ['-D', data, ...args], options);
  process.prependListener('exit', () => {
    // SIGQUIT aborts, and the processes of the cluster leave the folder, which is removed afterwards.
    spawnSync(program('pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], options);
    removeTemporaryFolder(folder);
  });
  child.unref();
  process.env.TEST_DATABASE_URL = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt += 1) {
    if (await isPostgresqlReachable()) return true;
    await delay(100);
  }
  return false;
}

/** PostgreSQL refuses to run as root. Then it runs as `postgres`, the user of its packages. */
function databaseUser() {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function findFreePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
