import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createKey, textOfKey } from '../../src/vault/key-file.ts';
import { createApi } from './support/api.ts';
import { randomSecret } from './support/routes.ts';
import { runCommand, runCommandHere, runCommandUnread } from './support/run-command.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';

vi.setConfig({ testTimeout: 240_000 });

const TOKEN = ['token', 'create', '--email', 'owner@localhost', '--json'];
const SCOPES = ['--scopes', 'management:read,management:write', '--expires-in', '1h'];

interface Finding {
  readonly about: string;
  readonly status: string;
}

/** What was not in order. */
function amiss({ findings }: { readonly findings: readonly Finding[] }): string[] {
  return findings.filter(({ status }) => status !== 'ok').map(({ about }) => about);
}

/** As container platforms and systemd hand secrets out. */
function secretFile(value: string): string {
  const path = join(temporaryDirectory(), 'secret');
  writeFileSync(path, `${value}\n`);
  return path;
}

describe('an embedded installation', () => {
  test('lets a lost owner in again, and passes its checks', async () => {
    const server = await startServer();
    const env = { GATEHOUSE_DATA_DIR: server.dataDir, GATEHOUSE_PORT: String(server.port) };
    const made = await runCommand([...TOKEN, ...SCOPES], env);
    expect([made.code, made.stderr]).toEqual([0, '']);
    const owner = createApi({ ...server, bootstrapToken: made.json.secret });
    const tokens = await owner.expect(200, 'GET', '/tokens');
    expect(tokens.body.items).toContainEqual(
      expect.objectContaining({ id: made.json.id, name: 'Recovery' }),
    );
    await owner.expect(204, 'DELETE', `/tokens/${made.json.id}`);
    expect(server.stdout).not.toContain(made.json.secret);

    const check = await runCommand(['check', '--json'], env);
    expect([check.code, check.stderr, amiss(check.json)]).toEqual([0, '', []]);
    const abouts = check.json.findings.map(({ about }: Finding) => about);
    expect(abouts).toEqual(
      expect.arrayContaining(['database', 'keys', 'disk', 'readyz', 'authorization server']),
    );
    const misspelt = await runCommandHere(['check', '--json'], { ...env, GATEHOUSE_PROT: '1' });
    expect([misspelt.code, amiss(misspelt.json)]).toEqual([0, ['configuration']]);
    const wrong = await runCommandHere(['check'], { ...env, GATEHOUSE_PORT: 'many' });
    expect([wrong.code, wrong.stderr]).toEqual([4, '']);
    expect(wrong.stdout).toContain('error    configuration: GATEHOUSE_PORT: expected');

    const token = server.bootstrapToken;
    const url = ['--url', server.origin];
    const doctor = await runCommand(['doctor', '--json', ...url], {
      GATEHOUSE_ACCESS_TOKEN: token,
    });
    expect([doctor.code, amiss(doctor.json)]).toEqual([0, []]);
    expect(doctor.stdout).not.toContain(token);
    const stranger = await runCommandHere(['doctor', '--json', ...url, '--token', 'x'.repeat(40)]);
    expect([stranger.code, amiss(stranger.json)]).toEqual([4, ['token']]);

    const proxy = await startBadProxy(server.port);
    const behind = await runCommandHere(['doctor', '--json', '--url', proxy]);
    expect([behind.code, amiss(behind.json)]).toEqual([
      4,
      ['authorization server', 'protected resource', 'API', 'gateway', 'request size', 'version'],
    ]);
    expect((await server.stop()).code).toBe(0);

    const stopped = await runCommandHere(['check', '--json'], env);
    expect([stopped.code, amiss(stopped.json)]).toEqual([0, ['public URL']]);
  });

  test('is checked before its first start, which changes nothing', async () => {
    const dataDir = `${temporaryDirectory()}/data`;
    const { code, json } = await runCommandHere(['check', '--json'], {
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_PORT: '1',
    });
    expect([code, amiss(json)]).toEqual([0, ['public URL']]);
    const refused = await runCommandHere([...TOKEN, ...SCOPES], { GATEHOUSE_DATA_DIR: dataDir });
    expect([refused.code, refused.json.error]).toEqual([
      3,
      expect.stringContaining('there is no database'),
    ]);
  });
});

describe.runIf(hasPostgresql)('an installation on PostgreSQL', () => {
  test('takes commands from anywhere with its settings, while no server runs', async () => {
    const database = await createEmptyPostgresql();
    onTestFinished(() => database.drop());
    const { databaseUrl } = database.config;
    const GATEHOUSE_ENCRYPTION_KEYS = textOfKey(createKey());
    const env = { DATABASE_URL: databaseUrl, GATEHOUSE_ENCRYPTION_KEYS };
    const early = await runCommandHere(['sign-in-link', 'owner@localhost'], env);
    expect([early.code, early.stdout]).toEqual([3, '']);
    expect(early.stderr).toMatch(/^The database lacks \d+ migrations [^\n]+\n$/);
    const fresh = await runCommandHere(['check', '--json'], { ...env, GATEHOUSE_PORT: '1' });
    expect([fresh.code, amiss(fresh.json)]).toEqual([0, ['database', 'public URL']]);

    const options = { databaseUrl, bootstrapToken: randomSecret(), env };
    const server = await startServer(options);
    await server.stop();
    const made = await runCommand([...TOKEN, ...SCOPES], env);
    expect([made.code, made.stderr]).toEqual([0, '']);
    const link = await runCommandHere(['sign-in-link', 'owner@localhost', '--json'], env);
    expect(link.json.url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/sign-in\/link\/[\w-]{43}$/);
    const fromFiles = await runCommandHere(['keys', 'status', '--json'], {
      DATABASE_URL_FILE: secretFile(databaseUrl),
      GATEHOUSE_ENCRYPTION_KEYS_FILE: secretFile(GATEHOUSE_ENCRYPTION_KEYS),
    });
    expect([fromFiles.code, fromFiles.json.keys.length]).toEqual([0, 1]);
    const other = { ...env, GATEHOUSE_ENCRYPTION_KEYS: textOfKey(createKey()) };
    const lost = await runCommandHere(['keys', 'status', '--json'], other);
    expect(lost.code).toBe(0);
    const again = await startServer(options);
    const owner = createApi({ ...again, bootstrapToken: made.json.secret });
    await owner.expect(200, 'GET', '/me');
    await again.stop();
  });

  test('reports that its database is out of reach', async () => {
    const { code, stderr } = await runCommandHere(['keys', 'status'], {
      DATABASE_URL: 'postgresql://somebody:a-password@127.0.0.1:1/none',
      GATEHOUSE_ENCRYPTION_KEYS: textOfKey(createKey()),
    });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^The database in DATABASE_URL cannot be used[^\n]+\n$/);
    expect(stderr).not.toContain('a-password');
    const check = await runCommandHere(['check', '--json'], {
      DATABASE_URL: 'postgresql://somebody:a-password@127.0.0.1:1/none',
      GATEHOUSE_ENCRYPTION_KEYS: textOfKey(createKey()),
      GATEHOUSE_PORT: '1',
    });
    expect(check.json.findings).toContainEqual(
      expect.objectContaining({
        about: 'database',
        found: expect.stringContaining('the connection is refused (ECONNREFUSED)'),
      }),
    );
    expect(check.stdout).not.toContain('a-password');
  });
});

describe('a command that nobody reads', () => {
  const nobody = 'http://127.0.0.1:1';
  test.each<[code: number, args: string[], env?: Record<string, string>]>([
    [0, ['--help']],
    [0, ['serve', '--help']],
    [0, ['keys', 'rewrap', '--help']],
    [0, ['version', '--json']],
    [4, ['doctor', '--url', nobody]],
    [4, ['check', '--json'], { GATEHOUSE_PORT: 'many' }],
  ])('ends quietly with %i: %j', async (code, args, env) => {
    expect(await runCommandUnread(args, env)).toEqual({ code, stderr: '' });
  });

  test('still says on standard error why it failed', async () => {
    const { code, stderr } = await runCommandUnread(['sign-in-link', '--json']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Try gatehouse sign-in-link')]);
  });
});

describe('doctor', () => {
  const file = (name: string) =>
    fileURLToPath(new URL(`../egress/fixtures/${name}.pem`, import.meta.url));

  test.each([
    ['trusts an authority that Node trusts', 'localhost.cert', true],
    ['trusts no certificate that signs itself', undefined, false],
  ])('%s', async (_, authority, isTrusted) => {
    const [key, cert] = ['localhost.key', 'localhost.cert'].map((name) => readFileSync(file(name)));
    const server = createTlsServer({ key, cert }, (_request, response) => {
      response.end('{}');
    });
    const origin = `https://localhost:${await listen(server)}`;
    const env = authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: file(authority) };
    // Node reads its authorities as a process begins.
    const run = authority === undefined ? runCommandHere : runCommand;
    const { code, json } = await run(['doctor', '--json', '--url', origin], env);
    expect(code).toBe(4);
    expect(amiss(json).includes('TLS')).toBe(!isTrusted);
    const about = json.findings.find((finding: Finding) => finding.about === 'TLS');
    expect(about.found).toMatch(isTrusted ? /expires in \d+ days/ : /certificate_untrusted/);
  });
});

/** A proxy that changes the Host header, and lets 1 MiB pass. @returns its origin */
async function startBadProxy(port: number): Promise<string> {
  const proxy = createServer((request, response) => {
    if (Number(request.headers['content-length'] ?? 0) > 1024 * 1024) {
      request.resume();
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    const headers = { ...request.headers, host: 'elsewhere.example' };
    const { method, url: path } = request;
    const onward = httpRequest({ port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  return `http://127.0.0.1:${await listen(proxy)}`;
}

/** @returns the port */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
