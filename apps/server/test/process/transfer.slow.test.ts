import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEvent } from '@gatehouse/contract';
import type { LaunchedGatehouse } from '@gatehouse/harness';
import { connectMcpClient } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { Browser } from '../authorization-server/browser.ts';
import { authorize, createPkce, requestToken } from '../authorization-server/fixture.ts';
import { use } from '../support/use.ts';
import { createApi } from './support/api.ts';
import { noteSecret } from './support/logs.ts';
import { addMember, createRoute, randomSecret, type TestRoute } from './support/routes.ts';
import { type RanCommand, runCommand } from './support/run-command.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 });

const CREDENTIAL = randomSecret();
const REDIRECT_URI = 'http://localhost/cb';
const upstream = use(() => startUpstream({ requireBearer: CREDENTIAL }));
const directory = temporaryDirectory();
const bootstrapToken = randomSecret();
const passphrase = { GATEHOUSE_BACKUP_PASSPHRASE: 'seven words that nobody guesses' };

/** What people and programs hold of the first server, and go on using with every other. */
interface Held {
  readonly route: TestRoute;
  readonly memberToken: string;
  readonly browser: Browser;
  accessToken: string;
  refreshToken: string;
}

let first: LaunchedGatehouse;
let held: Held;

beforeAll(async () => {
  first = await startServer({ dataDir: join(directory, 'first'), bootstrapToken });
  held = await prepare(first);
});

/** Servers follow each other at one address, as after a move. */
function startNext(options: Parameters<typeof startServer>[0]): Promise<LaunchedGatehouse> {
  return startServer({ ...options, port: first.port, bootstrapToken });
}

async function prepare(server: LaunchedGatehouse): Promise<Held> {
  noteSecret('the credential', CREDENTIAL);
  const api = createApi(server);
  const route = await createRoute(api, { url: upstream.url, authMode: 'user_token' });
  const connection = `/integrations/${route.integrationId}/connection`;
  const { token: memberToken } = await addMember(api);
  for (const token of [memberToken, bootstrapToken]) {
    await api.expect(200, 'POST', connection, { token, body: { token: CREDENTIAL } });
  }
  const browser = new Browser(server.origin);
  const link = await server.signInLink('owner@localhost');
  const page = await (await browser.get(link)).text();
  // A form without an action goes to its own page.
  await browser.submit(page.replace('method="post"', `method="post" action="${link}"`), {});
  const { verifier, challenge } = createPkce();
  const asked = { client_id: route.applicationId, redirect_uri: REDIRECT_URI };
  const code = (
    await authorize(server, browser, {
      ...asked,
      response_type: 'code',
      scope: 'mcp',
      resource: server.origin + route.path,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
  ).get('code');
  const { body } = await requestToken(server, {
    ...{ ...asked, grant_type: 'authorization_code', code: code ?? '', code_verifier: verifier },
    resource: server.origin + route.path,
  });
  const { access_token: accessToken, refresh_token: refreshToken } = body;
  return { route, memberToken, browser, accessToken, refreshToken };
}

async function callTool(server: LaunchedGatehouse, bearer: string): Promise<string> {
  noteSecret('a bearer', bearer);
  const url = server.origin + held.route.path;
  const client = await connectMcpClient({ url, era: 'modern', bearer });
  try {
    return await client.callTool('add', { a: 20, b: 22 });
  } finally {
    await client.close();
  }
}

/** Everything that is held works: tokens, sealed credentials, the grant of a client, a browser's session. */
async function expectAllToWork(server: LaunchedGatehouse): Promise<void> {
  const api = createApi(server);
  await api.expect(200, 'GET', '/me');
  await api.expect(200, 'GET', '/me', { token: held.memberToken });
  expect(await callTool(server, held.memberToken)).toBe('42');
  expect(await callTool(server, held.accessToken)).toBe('42');
  const { status, body } = await requestToken(server, {
    grant_type: 'refresh_token',
    refresh_token: held.refreshToken,
    client_id: held.route.applicationId,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  held.accessToken = body.access_token;
  held.refreshToken = body.refresh_token;
  expect(await callTool(server, held.accessToken)).toBe('42');
  const account = await held.browser.get('/account');
  expect([account.status, await account.text()]).toEqual([
    200,
    expect.stringContaining('owner@localhost'),
  ]);
}

/** Creates integrations until it is stopped; answers the names of those that were acknowledged. */
function writeOn(server: LaunchedGatehouse) {
  const api = createApi(server);
  const acknowledged: string[] = [];
  let isStopped = false;
  const done = (async () => {
    for (let number = 0; !isStopped; number += 1) {
      const name = `Written ${number}`;
      await api.expect(201, 'POST', '/integrations', {
        body: { name, url: 'http://127.0.0.1:9/mcp', authMode: 'none' },
      });
      acknowledged.push(name);
      await delay(20);
    }
  })();
  return {
    acknowledged,
    stop: () => {
      isStopped = true;
      return done;
    },
  };
}

async function namesAt(server: LaunchedGatehouse): Promise<string[]> {
  const api = createApi(server);
  const names: string[] = [];
  let next = '';
  do {
    const { body } = await api.expect(200, 'GET', `/integrations?limit=100${next}`);
    for (const { name } of body.items) names.push(name);
    next = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
  } while (next !== '');
  return names;
}

/** The commands that have filled this installation and those that it comes from, the last one first. */
async function importsAt(server: LaunchedGatehouse): Promise<string[]> {
  const path = '/audit-events?action=installation.imported';
  const { body } = await createApi(server).expect(200, 'GET', path);
  return body.items.map(({ actor }: AuditEvent) => actor.via.id);
}

function expectDone(ran: RanCommand): void {
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/^(?:[\d,]+ of [\d,]+ rows\n)*$/);
}

describe('an installation moves, and everything that people hold of it goes on working', () => {
  const backup = join(directory, 'gatehouse.backup');

  test('a backup under load is of one moment, and is restored elsewhere', async () => {
    await expectAllToWork(first);
    const load = writeOn(first);
    await expect.poll(() => load.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(20);
    const before = load.acknowledged.length;
    const ran = await runCommand(['backup', backup], {
      GATEHOUSE_DATA_DIR: first.dataDir,
      ...passphrase,
    });
    await load.stop();
    expectDone(ran);
    expect(ran.stdout).toMatch(/holds [\d,]+ rows and the encryption keys local-\w+\.\n/);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(first.dataDir).filter((name) => name.startsWith('snapshot'))).toEqual([]);
    expect((await first.stop()).code).toBe(0);
    expect(load.acknowledged.length).toBeGreaterThan(before);

    const dataDir = join(directory, 'second');
    expectDone(
      await runCommand(['restore', backup], { GATEHOUSE_DATA_DIR: dataDir, ...passphrase }),
    );
    const second = await startNext({ dataDir });
    const names = (await namesAt(second)).filter((name) => name.startsWith('Written '));
    // The acknowledged ones from the first to one that was written while the command ran, without a gap.
    expect(names.length).toBeGreaterThanOrEqual(before);
    expect(names.sort()).toEqual(load.acknowledged.slice(0, names.length).sort());
    await expectAllToWork(second);
    expect(await importsAt(second)).toEqual(['restore']);
    expect((await second.stop()).code).toBe(0);
  });

  test.skipIf(!hasPostgresql)('into PostgreSQL, and back', async () => {
    const { config, drop } = await createEmptyPostgresql();
    const { databaseUrl } = config;
    const [there, back, keys] = ['there', 'back', 'keys.env'].map((name) => join(directory, name));
    try {
      const stopped = { GATEHOUSE_DATA_DIR: join(directory, 'second') };
      expectDone(await runCommand(['export', there ?? ''], { ...stopped, ...passphrase }));
      const withDatabase = { DATABASE_URL: databaseUrl, ...passphrase };
      expectDone(await runCommand(['import', there ?? '', '--keys-to', keys ?? ''], withDatabase));
      const [, value = ''] = readFileSync(keys ?? '', 'utf8').split(/=(.*)\n/);
      const env = { GATEHOUSE_ENCRYPTION_KEYS: value };
      const third = await startNext({ databaseUrl, env });
      await expectAllToWork(third);
      const exported = await runCommand(['export', back ?? '', '--json'], withDatabase);
      expectDone(exported);
      expect(JSON.parse(exported.stdout)).toMatchObject({
        keysInside: [],
        keysElsewhere: [expect.stringMatching(/^local-/)],
      });
      expect((await third.stop()).code).toBe(0);

      const dataDir = join(directory, 'fourth');
      expectDone(
        await runCommand(['import', back ?? ''], { GATEHOUSE_DATA_DIR: dataDir, ...passphrase }),
      );
      const fourth = await startNext({ dataDir, env });
      await expectAllToWork(fourth);
      expect(await importsAt(fourth)).toEqual(['import', 'import', 'restore']);
      expect((await fourth.stop()).code).toBe(0);
    } finally {
      await drop();
    }
  });

  test('restore asks nobody for the passphrase where nobody is', async () => {
    const env = { GATEHOUSE_DATA_DIR: join(directory, 'refused') };
    expect(await runCommand(['restore', backup], env)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Nobody can be asked for the passphrase here\. [^\n]+\n$/),
    });
    expect(existsSync(env.GATEHOUSE_DATA_DIR)).toBe(false);
  });
});
