import { setTimeout as delay } from 'node:timers/promises';
import { startFaultProxy } from '@gatehouse/harness';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PostgresqlChanges } from '../../../src/platform/changes/postgresql-changes.ts';
import { createPostgresqlStore } from '../../../src/platform/database/create-store.ts';
import { connectionOptions, openPool } from '../../../src/platform/database/postgresql.ts';
import {
  authorizeParameters,
  createClient,
  createPkce,
  type Parameters,
  parametersOf,
  REDIRECT_URI,
  type TestClient,
} from '../../authorization-server/fixture.ts';
import { type Cluster, canStartCluster, startCluster } from '../../support/cluster.ts';
import { everyRequest } from '../../support/every-request.ts';
import { type Called, startTestServer, type TestServer } from '../../support/server.ts';
import { openPostgresqlStore, type TestStore } from '../../support/store.ts';

const UNAVAILABLE = {
  status: 503,
  code: 'database_unavailable',
  retryAfter: '1',
};

/** Milliseconds after which `/readyz` has forgotten its last check of the database. */
const READINESS_SHARED = 300;

/** Answers of each operation and of the gateway, by name. */
type Answers = Record<string, unknown>;

async function answersOf(server: TestServer, gatewayPath: string): Promise<Answers> {
  await delay(READINESS_SHARED);
  const asked = everyRequest.map(async ({ id, isPublic, method, path, body }) => {
    const called = await server.call(method, path, isPublic ? { token: null } : { body });
    return [id, isPublic ? { status: called.status } : summaryOf(called)] as const;
  });
  const gateway = callGateway(server, gatewayPath).then(
    (response) => ['gateway', summaryOf(response)] as const,
  );
  const ready = fetch(`${server.origin}/readyz`).then(
    ({ status }) => ['readyz', { status }] as const,
  );
  return Object.fromEntries(await Promise.all([...asked, gateway, ready]));
}

async function callGateway(server: TestServer, path: string): Promise<Omit<Called, 'text'>> {
  const response = await fetch(server.origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.owner}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function summaryOf({ status, headers, body }: Omit<Called, 'text'>): unknown {
  return { status, code: codeOf(body), retryAfter: headers.get('retry-after') };
}

function codeOf(body: Called['body']): unknown {
  return body?.code ?? body?.error?.data?.code ?? body;
}

/** Requests of clients and browsers that need the database, and what each reads of an answer. */
async function protocolAnswersOf(server: TestServer, client: TestClient): Promise<Answers> {
  const { clientId } = client;
  const code = { grant_type: 'authorization_code', code: 'gh_ac_x', code_verifier: 'x'.repeat(43) };
  const forms: [string, Parameters][] = [
    ['token', { ...code, client_id: clientId, redirect_uri: REDIRECT_URI }],
    ['token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'gh_rt_x' }],
    ['token', { ...code, client_id: 'dyn_x' }],
    ['revoke', { client_id: clientId, token: 'gh_rt_x' }],
  ];
  const programs = await Promise.all([
    ...forms.map(([path, form]) => {
      const init = { method: 'POST', body: parametersOf(form) };
      return fetch(`${server.origin}/oauth/${path}`, init);
    }),
    fetch(`${server.origin}/oauth/register`, { method: 'POST' }),
    fetch(`${server.origin}/.well-known/oauth-authorization-server`),
  ]);
  const authorize = parametersOf(authorizeParameters(client, createPkce()));
  const headers = { cookie: `gatehouse=${'s'.repeat(43)}` };
  const pages = await Promise.all(
    [
      `/oauth/authorize?${authorize}`,
      '/account',
      '/connect',
      `/sign-in/link/${'s'.repeat(43)}`,
    ].map((path) => fetch(server.origin + path, { headers, redirect: 'manual' })),
  );
  return Object.fromEntries(
    await Promise.all([
      ...programs.map(async (response, index) => [
        `program ${index}`,
        await oauthErrorOf(response),
      ]),
      ...pages.map((response, index) => [`page ${index}`, kindOf(response)]),
    ]),
  );
}

async function oauthErrorOf(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = kindOf(response).type === 'application/json';
  return { ...kindOf(response), error: isJson ? JSON.parse(text).error : text };
}

function kindOf({ status, headers }: Response) {
  const [type] = (headers.get('content-type') ?? '').split(';');
  return { status, type, retryAfter: headers.get('retry-after') };
}

const temporary = { status: 503, type: 'application/json', error: 'temporarily_unavailable' };
const page = { status: 503, type: 'text/html' };
const allTemporary = {
  ...Object.fromEntries(
    [0, 1, 2, 3, 4, 5].map((index) => [`program ${index}`, { ...temporary, retryAfter: '1' }]),
  ),
  ...Object.fromEntries(
    [0, 1, 2, 3].map((index) => [`page ${index}`, { ...page, retryAfter: '1' }]),
  ),
};

const allUnavailable: Answers = {
  ...Object.fromEntries(
    everyRequest.map(({ id, isPublic }) => [id, isPublic ? { status: 200 } : UNAVAILABLE]),
  ),
  gateway: UNAVAILABLE,
  readyz: { status: 503 },
};

/** An application with an attached integration; the path of its gateway. */
async function createRoute(server: TestServer): Promise<string> {
  const { body: made } = await server.call('POST', '/integrations', {
    body: { name: 'I', url: 'http://127.0.0.1:9', authMode: 'none' },
  });
  const { body: registered } = await server.call('POST', '/applications', {
    body: { name: 'A', oauth: { type: 'public', redirectUris: ['https://a.example/cb'] } },
  });
  const path = `${registered.application.id}/${made.integration.id}`;
  const attached = await server.call(
    'POST',
    `/applications/${registered.application.id}/integrations/${made.integration.id}`,
  );
  expect(attached.status).toBe(204);
  return `/mcp/${path}`;
}

async function waitUntilServed(server: TestServer): Promise<void> {
  await vi.waitFor(
    async () => {
      expect((await server.call('GET', '/me')).status).toBe(200);
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function administer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const END_OTHERS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';

describe.runIf(canStartCluster)('a PostgreSQL that is away', () => {
  let cluster: Cluster;
  let server: TestServer;
  let gateway: string;
  let client: TestClient;
  const databaseUrl = () => cluster.url.replace('postgres@', 'gatehouse@');

  beforeAll(async () => {
    cluster = await startCluster();
    await administer(cluster.url, 'CREATE ROLE gatehouse LOGIN SUPERUSER');
    const config = { databaseUrl: databaseUrl(), dataDir: '' };
    server = await startTestServer({}, () =>
      openPostgresqlStore({ config, drop: () => Promise.resolve() }),
    );
    gateway = await createRoute(server);
    client = await createClient(server);
  });
  afterAll(async () => {
    await server?.close();
    cluster?.close();
  });

  it.each([
    ['stopped', () => cluster.stop('fast'), () => cluster.start()],
    ['killed', () => cluster.stop('immediate'), () => cluster.start()],
    ['hung', () => cluster.hang(), () => cluster.goOn()],
    [
      'refusing the role, as after a changed password',
      () => administer(cluster.url, 'ALTER ROLE gatehouse NOLOGIN', END_OTHERS),
      () => administer(cluster.url, 'ALTER ROLE gatehouse LOGIN'),
    ],
    [
      'out of connections',
      () =>
        administer(cluster.url, 'ALTER ROLE gatehouse NOSUPERUSER CONNECTION LIMIT 0', END_OTHERS),
      () => administer(cluster.url, 'ALTER ROLE gatehouse SUPERUSER CONNECTION LIMIT -1'),
    ],
  ])(
    '%s: every operation, the gateway, OAuth and pages answer 503, and 200 when it is back',
    async (_, begin, end) => {
      await waitUntilServed(server);
      await begin();
      try {
        const answers = [answersOf(server, gateway), protocolAnswersOf(server, client)];
        expect(await Promise.all(answers)).toEqual([allUnavailable, allTemporary]);
      } finally {
        await end();
      }
      await waitUntilServed(server);
    },
  );
});

describe.runIf(canStartCluster)('a PostgreSQL that only reads', () => {
  let primary: Cluster;
  let standby: Cluster;
  let server: TestServer;

  beforeAll(async () => {
    primary = await startCluster();
    const config = { databaseUrl: primary.url, dataDir: '' };
    server = await startTestServer({}, () =>
      openPostgresqlStore({ config, drop: () => Promise.resolve() }),
    );
    standby = primary.createStandby();
  });
  afterAll(async () => {
    await server?.close();
    primary?.close();
    standby?.close();
  });

  const write = () => server.call('POST', '/tokens', { body: { name: 't', scopes: ['mcp'] } });
  const answers = async () => ({
    read: (await server.call('GET', '/me')).status,
    write: summaryOf(await write()),
    ready: (await fetch(`${server.origin}/readyz`)).status,
  });
  const setReadOnly = (value: string) =>
    administer(
      primary.url,
      `ALTER SYSTEM SET default_transaction_read_only = ${value}`,
      'SELECT pg_reload_conf()',
    );
  const readOnly = { read: 200, write: UNAVAILABLE, ready: 503 };

  it('by its setting answers reads, refuses writes with 503 and is not ready', async () => {
    await setReadOnly('on');
    try {
      await expect.poll(answers).toEqual(readOnly);
    } finally {
      await setReadOnly('off');
    }
    await waitUntilServed(server);
    expect((await write()).status).toBe(201);
  });

  it('as a standby does the same, until it is promoted', async () => {
    primary.stop('fast');
    standby.start();
    await expect.poll(answers).toEqual(readOnly);
    standby.promote();
    await waitUntilServed(server);
    expect((await write()).status).toBe(201);
  });
});

describe.runIf(canStartCluster)(
  'a pool with failing connections while notifications still arrive',
  () => {
    it('every operation answers 503 for its own statements, and 200 when it is back', async () => {
      const cluster = await startCluster();
      const proxy = await startFaultProxy({ target: { host: '127.0.0.1', port: cluster.port } });
      const server = await startTestServer({}, () => openSplitStore(cluster, proxy.port));
      try {
        const gateway = await createRoute(server);
        await waitUntilServed(server);
        proxy.setFault({ kind: 'reset' });
        const { gateway: _, ...answers } = await answersOf(server, gateway);
        const { gateway: __, ...expected } = allUnavailable;
        expect(answers).toEqual(expected);
        proxy.setFault({ kind: 'pass' });
        await waitUntilServed(server);
      } finally {
        await server.close();
        await proxy.close();
        cluster.close();
      }
    });
  },
);

/** Queries go through the proxy, so that the caller is known from memory when they fail. */
async function openSplitStore(cluster: Cluster, proxyPort: number): Promise<TestStore> {
  const migrated = await openPostgresqlStore({
    config: { databaseUrl: cluster.url, dataDir: '' },
    drop: () => Promise.resolve(),
  });
  await migrated.close();
  const changes = new PostgresqlChanges(connectionOptions(cluster.url));
  await changes.start();
  const url = cluster.url.replace(`:${cluster.port}/`, `:${proxyPort}/`);
  const store = createPostgresqlStore(openPool(url, 10), changes);
  return { ...store, statements: () => [], openAnotherNode: () => Promise.resolve(store) };
}
