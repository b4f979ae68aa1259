import { rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, LaunchError } from '@gatehouse/harness';
import { startScriptedUpstream } from '@gatehouse/testing';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isListening } from '../support/is-listening.ts';
import { createApi } from './support/api.ts';
import { runCommand } from './support/command.ts';
import { createRoute, randomSecret } from './support/routes.ts';
import { copyServer } from './support/server-copy.ts';
import { startRefused, startServer, temporaryDirectory } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql, storeKinds } from './support/stores.ts';

vi.setConfig({ testTimeout: 240_000 });

const PERSONAL_TOKEN = /gh_pat_[A-Za-z0-9_-]{43}/;
const encryptionKey = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;

describe('two processes on one data directory', () => {
  test('the second says so and exits 1, and the first goes on', async () => {
    const dataDir = temporaryDirectory();
    const first = await startServer({ dataDir });
    const second = await startRefused({ dataDir });
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      /^The data directory \S+ is in use by another Gatehouse process\./,
    );
    expect(second.stderr.trim().split('\n')).toHaveLength(1);
    await createApi(first).expect(200, 'GET', '/me');
    expect(await first.stop('SIGINT')).toEqual({ code: 0, signal: null });
    expect(first.stderr).toBe('');
  });
});

describe('a wrong environment variable', () => {
  test('is named with the expected form, without its value, and so is every other', async () => {
    const wrong = [
      ['GATEHOUSE_PORT', '70000', 'a port number from 0 to 65535'],
      ['GATEHOUSE_PUBLIC_URL', 'https://example.com/path', 'an origin'],
      ['GATEHOUSE_BOOTSTRAP_TOKEN', 'too-short-a-token', 'at least 32 characters'],
      ['GATEHOUSE_ENCRYPTION_KEYS', 'first:c2hvcnQtc2VjcmV0', 'id:key pairs'],
      ['GATEHOUSE_ALLOWED_NETWORKS', '10.0.0.0/40', 'addresses or CIDRs'],
      ['GATEHOUSE_SESSION_MODERN_TTL', 'half an hour', 'a duration'],
      ['DATABASE_URL', 'mysql://root:hunter2-hunter2@127.0.0.1/x', 'a connection string'],
    ] as const;
    const env = Object.fromEntries(wrong.map(([name, value]) => [name, value]));
    const { code, stderr } = await startRefused({ env });
    expect(code).toBe(1);
    for (const [name, value, expected] of wrong) {
      expect(stderr).toContain(`${name}: expected ${expected}`);
      expect(stderr).not.toContain(value);
    }
    expect(stderr.trim().split('\n')).toHaveLength(wrong.length);
  });

  test('that is no setting is named in the log, and the server starts', async () => {
    const server = await startServer({ env: { GATEHOUSE_PUBLIC_URI: 'https://a.example' } });
    expect(server.stdout).toContain('"variable":"GATEHOUSE_PUBLIC_URI"');
    expect(server.stdout).not.toContain('a.example');
    await server.stop();
  });

  test('is the only line that is written', async () => {
    const { code, stderr, stdout } = await startRefused({ env: { GATEHOUSE_LOG_LEVEL: 'loud' } });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^GATEHOUSE_LOG_LEVEL: expected one of [a-z, ]+\.\n$/);
  });

  test('is missing: a public URL when the host is not loopback', async () => {
    const { code, stderr } = await startRefused({ env: { GATEHOUSE_HOST: '0.0.0.0' } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^GATEHOUSE_PUBLIC_URL: expected .* required because GATEHOUSE_HOST/);
  });

  test('is missing: encryption keys when the database is PostgreSQL', async () => {
    const { code, stderr } = await startRefused({
      env: { DATABASE_URL: 'postgresql://127.0.0.1:1/gatehouse' },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^GATEHOUSE_ENCRYPTION_KEYS: expected .* required with DATABASE_URL/);
  });
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

test('a port that is taken is reported, and the next start prints the owner token', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void holder.close());
  const address = await vi.waitUntil(() => holder.address(), { timeout: 30_000 });
  const port = typeof address === 'object' ? address.port : 0;
  const dataDir = temporaryDirectory();
  const env = { GATEHOUSE_BOOTSTRAP_TOKEN: '' };
  const { code, stderr, stdout } = await startRefused({ port, dataDir, env });
  expect(code).toBe(1);
  expect(stderr).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stdout).toBe('');
  const next = await startServer({ dataDir, env });
  expect(next.stdout).toMatch(PERSONAL_TOKEN);
  await next.stop();
});

test('a host that does not exist is reported', async () => {
  const env = {
    GATEHOUSE_HOST: 'nowhere.invalid',
    GATEHOUSE_PUBLIC_URL: 'https://gatehouse.example.com',
  };
  const { code, stderr } = await startRefused({ env });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^getaddrinfo E\w+ nowhere\.invalid\. Choose another GATEHOUSE_PORT or GATEHOUSE_HOST\.\n$/,
  );
});

describe.each(storeKinds)('a broken migration on %s', (kind) => {
  test('refuses the start, and the fixed one applies', async () => {
    const env = await storeEnvironment(kind);
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
});

describe('lost encryption keys', () => {
  test('refuse the start on the embedded database once a secret is stored', async () => {
    const dataDir = temporaryDirectory();
    const server = await startServer({ dataDir });
    await storeSecret(server);
    await server.stop();
    rmSync(join(dataDir, 'encryption-key'));

    for (const attempt of ['first', 'second']) {
      const { code, stderr } = await startRefused({ dataDir });
      expect([attempt, code]).toEqual([attempt, 1]);
      expect(stderr).toMatch(
        /^Stored secrets are encrypted with keys that are not loaded: local-[0-9a-f]{8}\. Add these keys to GATEHOUSE_ENCRYPTION_KEYS, or restore the encryption-key file of the data directory\.\n$/,
      );
    }
  });

  test('refuse the start when the key file holds something else', async () => {
    const dataDir = temporaryDirectory();
    const content = randomSecret();
    writeFileSync(join(dataDir, 'encryption-key'), content);
    const { code, stderr } = await startRefused({ dataDir });
    expect(code).toBe(1);
    expect(stderr).toContain('encryption-key does not contain an encryption key.');
    expect(stderr).not.toContain(content);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test.runIf(hasPostgresql)('refuse the start on PostgreSQL, naming the key alone', async () => {
    const database = await createEmptyPostgresql();
    onTestFinished(() => database.drop());
    const { databaseUrl } = database.config;
    const withKeys = (...ids: string[]) => ({
      databaseUrl,
      env: { GATEHOUSE_ENCRYPTION_KEYS: ids.map(encryptionKey).join(',') },
    });
    const server = await startServer(withKeys('first'));
    await storeSecret(server);
    await server.stop();

    const lost = await startRefused(withKeys('second'));
    expect(lost.code).toBe(1);
    expect(lost.stderr).toMatch(
      /^Stored secrets are encrypted with keys that are not loaded: first\. Add these keys to GATEHOUSE_ENCRYPTION_KEYS, or restore the encryption-key file of the data directory\.\n$/,
    );
    const otherBytes = `first:${Buffer.alloc(32, 'x').toString('base64')}`;
    const changed = await startRefused({
      databaseUrl,
      env: { GATEHOUSE_ENCRYPTION_KEYS: otherBytes },
    });
    expect(changed.code).toBe(1);
    expect(changed.stderr).toMatch(
      /^Encryption keys differ from .*: first\. Restore the original keys under these ids, and give a new key a new id\.\n$/,
    );
    await (await startServer(withKeys('second', 'first'))).stop();
  });
});

describe('the first start', () => {
  test('names the organization by its setting, which later starts do not read', async () => {
    const dataDir = temporaryDirectory();
    const nameAfterStart = async (name: string, bootstrapToken?: string) => {
      const env = { GATEHOUSE_ORGANIZATION_NAME: name };
      const server = await startServer({ dataDir, env, ...(bootstrapToken && { bootstrapToken }) });
      const { body } = await createApi(server).expect(200, 'GET', '/me');
      await server.stop();
      return { name: body.organization.name, token: server.bootstrapToken };
    };
    const first = await nameAfterStart('Example Ltd.');
    expect(first.name).toBe('Example Ltd.');
    expect((await nameAfterStart('Another', first.token)).name).toBe('Example Ltd.');
  });

  test('prints the owner token once, and makes files that only their owner may read', async () => {
    const dataDir = join(temporaryDirectory(), 'deep', 'data');
    const env = { GATEHOUSE_BOOTSTRAP_TOKEN: '' };
    const first = await startServer({ dataDir, env });
    const bootstrapToken = PERSONAL_TOKEN.exec(first.stdout)?.[0] ?? '';
    const { body } = await createApi({ ...first, bootstrapToken }).expect(200, 'GET', '/me');
    expect(body.user.role).toBe('owner');
    expect(modeOf(dataDir)).toBe('700');
    expect(modeOf(join(dataDir, 'lock'))).toBe('600');
    expect(modeOf(join(dataDir, 'encryption-key'))).toBe('600');
    expect(await first.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(first.stderr).toBe('');
    expect(logLines(first.stdout).join('\n')).not.toContain(bootstrapToken);

    const second = await startServer({ dataDir, env });
    await createApi({ ...second, bootstrapToken }).expect(200, 'GET', '/me');
    await second.stop();
    expect(second.stdout + second.stderr).not.toMatch(/gh_pat_/);
    expect(second.stdout).toContain(`Gatehouse is ready at ${second.baseUrl}`);
  });

  test.runIf(hasPostgresql)(
    'answers no request until the owner is written, then answers those that waited',
    async () => {
      const database = await createEmptyPostgresql();
      onTestFinished(() => database.drop());
      const { databaseUrl } = database.config;
      const other = new pg.Client(databaseUrl);
      await other.connect();
      onTestFinished(() => other.end());
      const lock = `(hashtextextended('gatehouse:bootstrap', 0))`;
      await other.query(`SELECT pg_advisory_lock${lock}`);
      const port = await findFreePort();
      const starting = startServer({ databaseUrl, port, env: { GATEHOUSE_BOOTSTRAP_TOKEN: '' } });
      await vi.waitUntil(() => isListening(port), { timeout: 60_000 });
      const early = fetch(`http://127.0.0.1:${port}/healthz`).then(({ status }) => status);
      expect(await Promise.race([early, delay(500, 'nothing')])).toBe('nothing');
      await other.query(`SELECT pg_advisory_unlock${lock}`);
      expect(await early).toBe(200);
      await (await starting).stop();
    },
  );

  test.runIf(hasPostgresql)(
    'on PostgreSQL writes a log without secrets, and a command makes the token',
    async () => {
      const database = await createEmptyPostgresql();
      onTestFinished(() => database.drop());
      const { databaseUrl } = database.config;
      const GATEHOUSE_ENCRYPTION_KEYS = encryptionKey('first');
      const server = await startServer({
        databaseUrl,
        env: { GATEHOUSE_BOOTSTRAP_TOKEN: '', GATEHOUSE_ENCRYPTION_KEYS },
      });
      const scopes = ['--scopes', 'management:read', '--expires-in', '1h', '--json'];
      const { json } = await runCommand(
        ['token', 'create', '--email', 'owner@localhost', ...scopes],
        { DATABASE_URL: databaseUrl, GATEHOUSE_ENCRYPTION_KEYS },
      );
      const owner = createApi({ ...server, bootstrapToken: json.secret });
      const { body } = await owner.expect(200, 'GET', '/me');
      expect(body.user.role).toBe('owner');
      await server.stop();
      const lines = server.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines.map(({ msg }) => msg)).toContain(
        'the owner has no token yet: run gatehouse sign-in-link or gatehouse token create',
      );
      expect(server.stdout).not.toMatch(PERSONAL_TOKEN);
    },
  );
});

test('a second signal ends the server at once, whatever is in flight', async () => {
  const upstream = await startScriptedUpstream();
  onTestFinished(() => upstream.close());
  const server = await startServer();
  const { path } = await createRoute(createApi(server), { url: upstream.url });
  const call = fetch(server.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.bootstrapToken}` },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  const broken = expect(call).rejects.toThrow();
  await upstream.nextRequest();

  const ended = server.stop();
  await vi.waitUntil(
    () =>
      fetch(server.origin).then(
        () => false,
        () => true,
      ),
    {
      timeout: 30_000,
    },
  );
  process.kill(server.pid, 'SIGTERM');
  expect(await ended).toEqual({ code: 1, signal: null });
  await broken;
});

async function storeEnvironment(kind: (typeof storeKinds)[number]) {
  const dataDir = { GATEHOUSE_DATA_DIR: temporaryDirectory() };
  if (kind === 'pglite') return dataDir;
  const database = await createEmptyPostgresql();
  onTestFinished(() => database.drop());
  const { databaseUrl } = database.config;
  return {
    ...dataDir,
    DATABASE_URL: databaseUrl,
    GATEHOUSE_ENCRYPTION_KEYS: encryptionKey('first'),
  };
}

async function storeSecret(server: Parameters<typeof createApi>[0]): Promise<void> {
  await createApi(server).expect(201, 'POST', '/integrations', {
    body: {
      name: 'Sealed',
      url: 'https://mcp.example.com/mcp',
      authMode: 'server_token',
      serverToken: randomSecret(),
    },
  });
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function logLines(stdout: string): string[] {
  return stdout.split('\n').filter((line) => line.startsWith('{'));
}
