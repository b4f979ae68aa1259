import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findFreePort, type LaunchedGatehouse, serverArgs } from '@gatehouse/harness';
import { startScriptedUpstream } from '@gatehouse/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApi } from './support/api.ts';
import { createRoute, randomSecret } from './support/routes.ts';
import { startRefused, startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

const PERSONAL_TOKEN = /gh_pat_[A-Za-z0-9_-]{43}/;
const WITHOUT_TOKEN = { GATEHOUSE_BOOTSTRAP_TOKEN: '' };

/** The life of one embedded installation, start after start: each test goes on where the last has ended. */
const dataDir = join(temporaryDirectory(), 'deep', 'data');
let server: LaunchedGatehouse;
let ownerToken: string;

test('a port that is taken is reported', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void holder.close());
  const address = await vi.waitUntil(() => holder.address(), { timeout: 30_000 });
  const port = typeof address === 'object' ? address.port : 0;
  const { code, stderr, stdout } = await startRefused({ port, dataDir, env: WITHOUT_TOKEN });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test.each([
  ['nobody reads', () => 'pipe' as const],
  ['is on a full disk', () => openSync('/dev/full', 'w')],
])('a first start ends in one sentence if its standard output %s', async (_, open) => {
  const { code, stderr } = await startInto(open());
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Cannot write to standard output: .*\n$/);
});

test.each([64, 100, 160])(
  'a first start that may open %d files says in one line that they are too few',
  async (files) => {
    const limited = ['-c', `ulimit -n ${files} && exec "$0" "$@"`, process.execPath, ...serverArgs];
    const { code, stderr } = await startInto('pipe', {
      program: '/bin/sh',
      args: limited,
      directory: join(temporaryDirectory(), 'data'),
    });
    expect(stderr).toMatch(/^[^\n]*\(EMFILE\)\. Allow the process more open files[^\n]*\n$/);
    expect(code).toBe(1);
  },
);

test('the first one that succeeds prints the owner token, and makes files that only their owner may read', async () => {
  const env = {
    ...WITHOUT_TOKEN,
    GATEHOUSE_ORGANIZATION_NAME: 'Example Ltd.',
    GATEHOUSE_PUBLIC_URI: 'https://a.example',
  };
  server = await startServer({ dataDir, env });
  ownerToken = PERSONAL_TOKEN.exec(server.stdout)?.[0] ?? '';
  const { body } = await apiOf(server).expect(200, 'GET', '/me');
  expect([body.user.role, body.organization.name]).toEqual(['owner', 'Example Ltd.']);
  expect(modeOf(dataDir)).toBe('700');
  expect(modeOf(join(dataDir, 'lock'))).toBe('600');
  expect(modeOf(join(dataDir, 'encryption-key'))).toBe('600');
});

test('a variable that is no setting is named in the log, without its value', () => {
  expect(server.stdout).toContain('"variable":"GATEHOUSE_PUBLIC_URI"');
  expect(server.stdout).not.toContain('a.example');
});

test('a second process on its directory says so and exits 1, and the first goes on', async () => {
  const second = await startRefused({ dataDir });
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/^The data directory \S+ is in use by another Gatehouse process\./);
  expect(second.stderr.trim().split('\n')).toHaveLength(1);
  await apiOf(server).expect(200, 'GET', '/me');
});

test('it ends in order by Ctrl-C, and the log between its first lines has no token', async () => {
  expect(await server.stop('SIGINT')).toEqual({ code: 0, signal: null });
  expect(server.stderr).toBe('');
  const logged = server.stdout.split('\n').filter((line) => line.startsWith('{'));
  expect(logged.length).toBeGreaterThan(1);
  expect(logged.join('\n')).not.toContain(ownerToken);
});

test('a later start prints no token, and does not read the name of the organization', async () => {
  const env = { ...WITHOUT_TOKEN, GATEHOUSE_ORGANIZATION_NAME: 'Another' };
  server = await startServer({ dataDir, env });
  const { body } = await apiOf(server).expect(200, 'GET', '/me');
  expect(body.organization.name).toBe('Example Ltd.');
  expect(server.stdout).toContain(`Gatehouse is ready at ${server.baseUrl}`);
  expect(server.stdout + server.stderr).not.toMatch(/gh_pat_/);
});

test('a second signal ends the server at once, whatever is in flight', async () => {
  const upstream = await startScriptedUpstream();
  onTestFinished(() => upstream.close());
  const sealed = { url: upstream.url, authMode: 'server_token', serverToken: randomSecret() };
  const { path } = await createRoute(apiOf(server), sealed);
  const call = fetch(server.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}` },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  const broken = expect(call).rejects.toThrow();
  await upstream.nextRequest();

  const ended = server.stop();
  const refuses = () =>
    fetch(server.origin).then(
      () => false,
      () => true,
    );
  await vi.waitUntil(refuses, { timeout: 30_000 });
  process.kill(server.pid, 'SIGTERM');
  expect(await ended).toEqual({ code: 1, signal: null });
  await broken;
});

test('once a secret is stored, a start without its key is refused', async () => {
  rmSync(join(dataDir, 'encryption-key'));
  // A start that made a key would be refused once only.
  for (const attempt of ['first', 'second']) {
    const { code, stderr } = await startRefused({ dataDir });
    expect([attempt, code]).toEqual([attempt, 1]);
    expect(stderr).toMatch(
      /^Stored secrets are encrypted with keys that are not loaded: local-[0-9a-f]{8}\. Add these keys to GATEHOUSE_ENCRYPTION_KEYS, or restore the encryption-key file of the data directory\.\n$/,
    );
  }
});

test('a start is refused when the key file holds something else', async () => {
  const content = randomSecret();
  writeFileSync(join(dataDir, 'encryption-key'), content);
  const { code, stderr } = await startRefused({ dataDir });
  expect(code).toBe(1);
  expect(stderr).toContain('encryption-key does not contain an encryption key.');
  expect(stderr).not.toContain(content);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

async function startInto(
  stdout: number | 'pipe',
  { program = process.execPath, args = serverArgs, directory = dataDir } = {},
) {
  const child = spawn(program, args, {
    env: {
      GATEHOUSE_HOST: '127.0.0.1',
      GATEHOUSE_PORT: String(await findFreePort()),
      GATEHOUSE_DATA_DIR: directory,
    },
    stdio: ['ignore', stdout, 'pipe'],
  });
  child.stdout?.destroy();
  let stderr = '';
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const [code] = await once(child, 'close');
  return { code, stderr };
}

/** The owner, by the token that was shown. */
function apiOf({ baseUrl }: LaunchedGatehouse) {
  return createApi({ baseUrl, bootstrapToken: ownerToken });
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
