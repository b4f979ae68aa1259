import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, LaunchError } from '@gatehouse/harness';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isListening } from '../support/is-listening.ts';
import { createApi } from './support/api.ts';
import { createRoute, randomSecret } from './support/routes.ts';
import { runCommandHere } from './support/run-command.ts';
import { copyServer } from './support/server-copy.ts';
import { startRefused, startServer, temporaryDirectory } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';

vi.setConfig({ testTimeout: 240_000 });

const PERSONAL_TOKEN = /gh_pat_[A-Za-z0-9_-]{43}/;
const SEALED = { url: 'https://mcp.example.com/mcp', authMode: 'server_token' };
const encryptionKey = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;

test('every wrong environment variable is named with the expected form, without its value', async () => {
  const wrong = [
    ['GATEHOUSE_PORT', '70000', 'a port number from 0 to 65535'],
    ['GATEHOUSE_PUBLIC_URL', 'https://example.com/path', 'an origin'],
    ['GATEHOUSE_BOOTSTRAP_TOKEN', 'too-short-a-token', 'at least 32 characters'],
    ['GATEHOUSE_ENCRYPTION_KEYS', 'first:c2hvcnQtc2VjcmV0', 'id:key pairs'],
    ['GATEHOUSE_ALLOWED_NETWORKS', '10.0.0.0/40', 'addresses or CIDRs'],
    ['GATEHOUSE_SESSION_MODERN_TTL', 'half an hour', 'a duration'],
    ['GATEHOUSE_LOG_LEVEL', 'loud', 'one of'],
    ['DATABASE_URL', 'mysql://root:hunter2-hunter2@127.0.0.1/x', 'a connection string'],
  ] as const;
  const env = Object.fromEntries(wrong.map(([name, value]) => [name, value]));
  const { code, stderr, stdout } = await startRefused({ env });
  expect([code, stdout]).toEqual([1, '']);
  for (const [name, value, expected] of wrong) {
    expect(stderr).toContain(`${name}: expected ${expected}`);
    expect(stderr).not.toContain(value);
  }
  expect(stderr.trim().split('\n')).toHaveLength(wrong.length);
});

test('an unreachable database is named by its variable, without its password', async () => {
  const password = randomSecret();
  const databaseUrl = `postgresql://gatehouse:${password}@127.0.0.1:${await findFreePort()}/gatehouse`;
  const { code, stderr, stdout } = await startRefused({ databaseUrl });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'The database in DATABASE_URL cannot be used: the connection is refused (ECONNREFUSED).',
  );
  expect(stderr + stdout).not.toContain(password);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('a broken migration refuses the start, and the fixed one applies', async () => {
  const env = await storeEnvironment();
  const copy = copyServer();
  copy.writeMigration('99990101000000_next', 'CREATE TABLE "Half" (id int); SELECT broken;');
  const refused: unknown = await copy.start(env).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LaunchError);
  expect(refused).toMatchObject({ exit: { code: 1 } });
  const { stderr } = refused instanceof LaunchError ? refused.output : { stderr: '' };
  expect(stderr).toBe(
    'The database migration 99990101000000_next failed: column "broken" does not exist\n',
  );

  // Fails unless the broken one has left nothing behind.
  copy.writeMigration('99990101000000_next', 'CREATE TABLE "Half" (id int);');
  const fixed = await copy.start(env);
  expect((await fixed.stop()).code).toBe(0);
});

/** For an empty database on PostgreSQL, or where there is no PostgreSQL an embedded one. */
async function storeEnvironment(): Promise<Record<string, string>> {
  const dataDir = { GATEHOUSE_DATA_DIR: temporaryDirectory() };
  if (!hasPostgresql) return dataDir;
  const database = await createEmptyPostgresql();
  onTestFinished(() => database.drop());
  const { databaseUrl } = database.config;
  return {
    ...dataDir,
    DATABASE_URL: databaseUrl,
    GATEHOUSE_ENCRYPTION_KEYS: encryptionKey('first'),
  };
}

describe.runIf(hasPostgresql)('a first start on PostgreSQL', () => {
  test('answers nobody before the owner is written, logs no secret, and needs its keys later', async () => {
    const database = await createEmptyPostgresql();
    onTestFinished(() => database.drop());
    const { databaseUrl } = database.config;
    const GATEHOUSE_ENCRYPTION_KEYS = encryptionKey('first');
    const env = { GATEHOUSE_BOOTSTRAP_TOKEN: '', GATEHOUSE_ENCRYPTION_KEYS };

    const other = new pg.Client(databaseUrl);
    await other.connect();
    onTestFinished(() => other.end());
    const lock = `(hashtextextended('gatehouse:bootstrap', 0))`;
    await other.query(`SELECT pg_advisory_lock${lock}`);
    const port = await findFreePort();
    const starting = startServer({ databaseUrl, port, env });
    await vi.waitUntil(() => isListening(port), { timeout: 60_000 });
    const early = fetch(`http://127.0.0.1:${port}/healthz`).then(({ status }) => status);
    expect(await Promise.race([early, delay(500, 'nothing')])).toBe('nothing');
    await other.query(`SELECT pg_advisory_unlock${lock}`);
    expect(await early).toBe(200);
    const server = await starting;

    const scopes = ['--scopes', 'management:read,management:write', '--expires-in', '1h', '--json'];
    const token = ['token', 'create', '--email', 'owner@localhost', ...scopes];
    const { json } = await runCommandHere(token, {
      DATABASE_URL: databaseUrl,
      GATEHOUSE_ENCRYPTION_KEYS,
    });
    const owner = createApi({ ...server, bootstrapToken: json.secret });
    const { body } = await owner.expect(200, 'GET', '/me');
    expect(body.user.role).toBe('owner');
    await createRoute(owner, { ...SEALED, serverToken: randomSecret() });
    await server.stop();
    const lines = server.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).msg)).toContain(
      'the owner has no token yet: run gatehouse sign-in-link or gatehouse token create',
    );
    expect(server.stdout).not.toMatch(PERSONAL_TOKEN);

    const lost = await startRefused({
      databaseUrl,
      env: { GATEHOUSE_ENCRYPTION_KEYS: encryptionKey('second') },
    });
    expect(lost.code).toBe(1);
    expect(lost.stderr).toMatch(
      /^Stored secrets are encrypted with keys that are not loaded: first\. Add these keys to GATEHOUSE_ENCRYPTION_KEYS, or restore the encryption-key file of the data directory\.\n$/,
    );
  });
});
