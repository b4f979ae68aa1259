import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LaunchedGatehouse } from '@gatehouse/harness';
import { beforeAll, expect, test, vi } from 'vitest';
import { Browser as ConsentBrowser } from '../authorization-server/browser.ts';
import {
  authorize,
  authorizeParameters,
  createPkce,
  REDIRECT_URI,
  redeemParameters,
  requestToken,
  type TestClient,
} from '../authorization-server/fixture.ts';
import { Browser, PASSWORD } from '../support/browser.ts';
import { use } from '../support/use.ts';
import { type Api, createApi } from './support/api.ts';
import { startEchoUpstream } from './support/echo-upstream.ts';
import { noteSecret } from './support/logs.ts';
import { randomSecret } from './support/routes.ts';
import { startServer } from './support/servers.ts';

vi.setConfig({ testTimeout: 400_000 });

/** Each has walks of a person alone and then in the flood: what else the machine does slows both. */
const ROUNDS = 5;

/** The rounds after which memory has what a server that is used has. */
const WARM = 3;

/** Of each kind in all rounds, and the seconds of the flood in all rounds. */
const REQUESTS = 1_000;
const SECONDS = 60;

/** The most requests of a kind that the stranger has in hand. */
const AT_ONCE = 20;

/** Walks of a person alone in each round. */
const USUAL = 3;

/** Milliseconds between two walks in the flood: each compares a password, as the strangers do. */
const PAUSE = 1_000;

/** How much longer a step may take, and milliseconds besides: a call takes few. */
const [TIMES, SLACK] = [2, 50];

/** The stranger has two addresses behind the proxy, which take turns; the person has another. */
const STRANGER = { 'x-forwarded-for': '203.0.113.{digit}' };

const run = promisify(execFile);
const STRANGER_SCRIPT = fileURLToPath(new URL('support/stranger.mjs', import.meta.url));

const METRICS_TOKEN = randomSecret();
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const upstream = use(startEchoUpstream);
let server: LaunchedGatehouse;
let api: Api;
let client: TestClient;
let email: string;
const thirdHost = use(startSilentHost);

beforeAll(async () => {
  server = await startServer({
    env: {
      GATEHOUSE_RATE_LIMIT: '600',
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
      GATEHOUSE_METRICS_TOKEN: METRICS_TOKEN,
    },
  });
  api = createApi(server);
  client = await createOpenClient();
  const me = await api.expect(200, 'GET', '/me');
  email = me.body.user.email;
  const link = await api.expect(201, 'POST', `/members/${me.body.user.id}/sign-in-link`, {
    body: { purpose: 'reset' },
  });
  const { pathname } = new URL(link.body.url);
  noteSecret('a sign-in link', pathname);
  const choice = { password: PASSWORD, repeated: PASSWORD };
  expect((await new Browser(server).submit(pathname, choice)).status).toBe(303);
});

/** A third host, which accepts connections and says nothing. */
async function startSilentHost() {
  let open = 0;
  const seen = { connections: 0, most: 0 };
  const host = createServer((socket) => {
    open += 1;
    seen.connections += 1;
    seen.most = Math.max(seen.most, open);
    socket
      .resume()
      .on('error', () => {})
      .once('close', () => {
        open -= 1;
      });
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const { port } = host.address() as AddressInfo;
  return { port, seen, close: async () => void host.close() };
}

/** An application that allows dynamic clients, with an integration that each person connects. */
async function createOpenClient(): Promise<TestClient> {
  const { body: made } = await api.expect(201, 'POST', '/integrations', {
    body: { name: 'Notes', url: upstream.url, authMode: 'user_token' },
  });
  const oauth = { type: 'public', redirectUris: [REDIRECT_URI], allowDynamicClients: true };
  const { body: registered } = await api.expect(201, 'POST', '/applications', {
    body: { name: 'Agent', oauth },
  });
  const clientId: string = registered.application.id;
  const integrationId: string = made.integration.id;
  await api.expect(204, 'POST', `/applications/${clientId}/integrations/${integrationId}`);
  const mcpUrl = `${server.origin}/mcp/${clientId}/${integrationId}`;
  return { clientId, clientSecret: undefined, integrationId, mcpUrl };
}

type Steps = Record<'signIn' | 'consent' | 'connect' | 'call', number>;

/** What a person does, each step in milliseconds. */
async function walk(): Promise<Steps> {
  const browser = new ConsentBrowser(server.origin);
  const timed = async <T>(act: () => Promise<T>): Promise<[T, number]> => {
    const began = performance.now();
    return [await act(), performance.now() - began];
  };
  const [, signIn] = await timed(async () => {
    const page = await (await browser.get('/sign-in')).text();
    const { status } = await browser.submit(page, { email, password: PASSWORD });
    expect(status).toBe(303);
  });
  const [, connect] = await timed(async () => {
    const shown = await browser.get(`/connect?integration=${client.integrationId}`);
    const { status } = await browser.submit(await shown.text(), {
      decision: 'connect',
      token: 'the-token-of-a-person',
    });
    expect([200, 303]).toContain(status);
  });
  const [token, consent] = await timed(async () => {
    const pkce = createPkce();
    const asked = { ...authorizeParameters(client, pkce), prompt: 'consent' };
    const code = (await authorize(server, browser, asked)).get('code') ?? '';
    const { status, body } = await requestToken(server, redeemParameters(client, pkce, code));
    expect(status).toBe(200);
    noteSecret('an access token', body.access_token);
    return body.access_token as string;
  });
  const [, call] = await timed(async () => {
    const response = await fetch(client.mcpUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(await response.text()).toContain('the-token-of-a-person');
  });
  return { signIn, consent, connect, call };
}

/** The median of each step. */
function typicalOf(walks: readonly Steps[]): Steps {
  const of = (step: keyof Steps) =>
    walks.map((steps) => steps[step]).sort((a, b) => a - b)[Math.floor(walks.length / 2)] ?? 0;
  return { signIn: of('signIn'), consent: of('consent'), connect: of('connect'), call: of('call') };
}

/** A wrong password, of another person each time. */
async function guessFrom(address: Record<string, string>) {
  const visit = new Browser(server);
  const { text } = await visit.open('/sign-in');
  const formToken = /name="form_token" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const cookie = [...visit.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    path: '/sign-in',
    method: 'POST',
    body: `form_token=${formToken}&email=nobody-{}%40x&password=wrong`,
    headers: { ...address, ...FORM, cookie, origin: server.origin },
  };
}

/** One request of each kind that a stranger can send; `{}` is the number of the request, `{digit}` is 0 or 1. */
async function kindsOf() {
  const get = (path: string) => ({ path, headers: STRANGER });
  const post = (path: string, body: string, headers: Record<string, string> = FORM) => ({
    path,
    method: 'POST',
    body,
    headers: { ...STRANGER, ...headers },
  });
  const document = encodeURIComponent(`https://127.0.0.1:${thirdHost.port}/client/`);
  return [
    get('/sign-in'),
    get('/connect?integration=x'),
    get('/readyz'),
    get('/healthz/stream'),
    get('/api/v1/openapi.json'),
    get('/.well-known/oauth-authorization-server'),
    await guessFrom(STRANGER),
    get(`/oauth/authorize?client_id=${document}{}`),
    post('/oauth/register', '{"redirect_uris":["https://a.example/cb"]}', JSON_TYPE),
    post('/oauth/token', 'grant_type=client_credentials&client_id={}&client_secret=x'),
    get(`/sign-in/link/${'x'.repeat(43)}`),
    post(`/mcp/${client.clientId}/${client.integrationId}`, '[]', BAD_TOKEN),
  ];
}

const JSON_TYPE = { 'content-type': 'application/json' };
const BAD_TOKEN = { ...JSON_TYPE, authorization: 'Bearer gh_at_guess' };

/** Sends the flood of one round at its pace, and counts the statuses of the responses. */
async function flood(statuses: Map<number, number>): Promise<void> {
  const plan = {
    origin: server.origin,
    kinds: await kindsOf(),
    count: REQUESTS / ROUNDS,
    pause: (SECONDS * 1_000) / REQUESTS,
    atOnce: AT_ONCE,
  };
  const { stdout } = await run(process.execPath, [STRANGER_SCRIPT, JSON.stringify(plan)]);
  for (const [status, count] of Object.entries<number>(JSON.parse(stdout))) {
    statuses.set(Number(status), (statuses.get(Number(status)) ?? 0) + count);
  }
}

/** What the server says of itself. */
async function metricOf(pattern: RegExp): Promise<number> {
  const response = await fetch(`${server.origin}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  return Number(pattern.exec(await response.text())?.[1]);
}

/** Bytes of memory that the server has. */
const memoryOf = () => metricOf(/^process_resident_memory_bytes (\S+)$/m);

/** Wrong passwords so far. */
const refusedSoFar = () =>
  metricOf(/^gatehouse_sign_ins_total\{way="password",outcome="refused"\} (\S+)$/m);

/** Signs in with a new browser. @returns milliseconds */
async function timeSignIn(): Promise<number> {
  const browser = new ConsentBrowser(server.origin);
  const page = await (await browser.get('/sign-in')).text();
  const began = performance.now();
  const { status } = await browser.submit(page, { email, password: PASSWORD });
  expect(status).toBe(303);
  return performance.now() - began;
}

test('in a flood of strangers a person waits behind no stranger, third hosts are left in peace, and memory stays flat', async () => {
  await walk();
  const [usual, meanwhile]: [Steps[], Steps[]] = [[], []];
  const statuses = new Map<number, number>();
  const began = performance.now();
  let before = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round === WARM) before = await memoryOf();
    for (let i = 0; i < USUAL; i += 1) usual.push(await walk());
    let isOver = false;
    const flooded = flood(statuses).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      meanwhile.push(await walk());
      await delay(PAUSE);
    }
    await flooded;
  }
  const minutes = Math.ceil((performance.now() - began) / 60_000);
  const after = await memoryOf();

  const [expected, found] = [typicalOf(usual), typicalOf(meanwhile)];
  const tooLong = Object.entries(found).filter(
    ([step, time]) => time > TIMES * expected[step as keyof Steps] + SLACK,
  );
  expect(tooLong, JSON.stringify({ expected, found })).toEqual([]);
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  expect(statuses.get(429) ?? 0).toBeGreaterThan(REQUESTS);
  expect(thirdHost.seen.connections).toBeLessThanOrEqual(30 * minutes);
  expect(thirdHost.seen.most).toBeLessThanOrEqual(2);
  expect(after - before).toBeLessThan(64 * 1024 * 1024);
});

/** Addresses, and milliseconds from one wrong password to the next: three times as many as can be compared. */
const [NETWORKS, EACH] = [25, 60];

/** More than may wait for a comparison. */
const GUESSES_AT_ONCE = 100;

test('while many addresses try wrong passwords, a person signs in behind at most a few of them', async () => {
  const usual = [];
  for (let i = 0; i < USUAL; i += 1) usual.push(await timeSignIn());
  const kinds = [await guessFrom({ 'x-forwarded-for': '198.18.{network}.1' })];
  const plan = {
    origin: server.origin,
    kinds,
    count: 10_000,
    pause: EACH,
    atOnce: GUESSES_AT_ONCE,
    networks: NETWORKS,
  };
  const before = await refusedSoFar();
  const controller = new AbortController();
  const { signal } = controller;
  const flooded = run(process.execPath, [STRANGER_SCRIPT, JSON.stringify(plan)], { signal }).catch(
    () => undefined,
  );
  // By then each has had its turn.
  const limits = { timeout: 300_000, interval: 1_000 };
  await expect.poll(refusedSoFar, limits).toBeGreaterThan(before + NETWORKS);
  const found = [];
  for (let i = 0; i < 5; i += 1) found.push(await timeSignIn());
  controller.abort();
  await flooded;
  const typical = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  expect(typical(found), JSON.stringify({ usual, found })).toBeLessThan(5 * typical(usual) + SLACK);
});
