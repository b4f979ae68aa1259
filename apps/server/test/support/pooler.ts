import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, launch } from '@gatehouse/harness';
import pg from 'pg';
import { createDirectoryOf, databaseUser } from './database-user.ts';

/** A running PgBouncer. */
export interface Pooler {
  /** The given database, through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/** False where PgBouncer is not installed; what needs it is skipped then. */
export const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0;
if (!hasPooler) process.stdout.write('No PgBouncer is installed: tests behind it are skipped.\n');

/** Starts PgBouncer before the server of `databaseUrl`. */
export async function startPooler(
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const user = databaseUser();
  const directory = createDirectoryOf(user, 'gatehouse-pooler-');
  const port = await findFreePort();
  const settings = join(directory, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${target.hostname} port=${target.port || 5432} user=${target.username || 'postgres'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  );
  const asUser = user === undefined ? [] : ['--reuid', `${user.uid}`, '--regid', `${user.gid}`];
  const process = await launch({
    command: user === undefined ? 'pgbouncer' : 'setpriv',
    args: user === undefined ? [settings] : [...asUser, '--clear-groups', 'pgbouncer', settings],
    readyWhen: () => true,
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  await untilAnswers(url.href);
  return {
    url: url.href,
    async close() {
      await process.kill9();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function untilAnswers(connectionString: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client({ connectionString });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt >= 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
