import { setTimeout as delay } from 'node:timers/promises';
import type { LaunchedGatehouse } from '@gatehouse/harness';
import { type ScriptedUpstream, startScriptedUpstream } from '@gatehouse/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Api, createApi } from './support/api.ts';
import {
  type AuditedLoad,
  type LoadClient,
  type SentRequest,
  sendJson,
  startAuditedLoad,
} from './support/audited-load.ts';
import { addMember, createRoute, randomSecret, type TestRoute } from './support/routes.ts';
import { startServer } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';

/** `fail` is answered with 500 by the upstream, and a rule refuses `denied`. */
const TOOLS = ['echo', 'sum', 'fail', 'denied'];

/** Messages in the bodies of each client. */
const BATCHES = [1, 1, 3];

/** Within which a call is written behind, on a machine that does much else. */
const BEHIND = 2_500;

const HOUR = 60 * 60_000;

describe.runIf(hasPostgresql)('two nodes of which one is killed', () => {
  test('count calls as the audit and the upstream do, but for what was not written', async () => {
    const { nodes, restart, api, routes, clients, upstream } = await startInstallation();
    const load = (index: number) => startAuditedLoad(at(nodes, index).origin, at(clients, index));
    const sent: [SentRequest[], SentRequest[]] = [[], []];
    const end = async (index: number, { sent: more, stop }: AuditedLoad) => {
      await stop();
      at(sent, index).push(...more);
    };

    const before = [load(0), load(1)];
    await delay(2_000);
    await Promise.all(before.map((one, index) => end(index, one)));
    for (const [index, route] of routes.entries()) {
      await expectSame(api, upstream, route, eventsOf(at(sent, index)));
    }

    const during = [load(0), load(1)];
    await delay(2_000);
    const killedAt = Date.now();
    await at(nodes, 1).kill9();
    await restart(1);
    await end(1, at(during, 1));
    const after = load(1);
    await delay(2_000);
    await end(1, after);
    await end(0, at(during, 0));

    await expectSame(api, upstream, at(routes, 0), eventsOf(at(sent, 0)));
    const unsure = at(sent, 1).filter(
      ({ answeredAt = killedAt }) => answeredAt > killedAt - BEHIND && answeredAt <= killedAt,
    );
    const most = eventsOf(at(sent, 1));
    const least = most - eventsOf(unsure);
    expect(least).toBeGreaterThan(0);
    for (const read of [readUsage, readAudit]) {
      const total = async () => (await read(api, at(routes, 1))).all?.calls;
      await expect.poll(total).toBeGreaterThanOrEqual(least);
      expect(await total()).toBeLessThanOrEqual(most);
    }
  });
});

const eventsOf = (sent: readonly SentRequest[]) =>
  sent.reduce((all, { events }) => all + events, 0);

/** Waits until as many calls are counted, and compares the counts in each way. */
async function expectSame(
  api: Api,
  upstream: ScriptedUpstream,
  route: CountedRoute,
  calls: number,
): Promise<void> {
  for (const read of [readUsage, readAudit]) {
    await expect.poll(async () => (await read(api, route)).all?.calls).toBe(calls);
  }
  const usage = await readUsage(api, route);
  expect(usage).toEqual(await readAudit(api, route));
  const { refusals = 0, upstreamErrors } = usage.all ?? {};
  expect(refusals).toBeGreaterThan(0);
  expect(upstreamErrors).toBeGreaterThan(0);
  const wentUp = upstream.requests.filter(({ target }) => target === route.target);
  expect(wentUp.flatMap(({ body }) => JSON.parse(body.toString()))).toHaveLength(calls - refusals);
}

interface Counts {
  calls: number;
  refusals: number;
  errors: number;
  upstreamErrors: number;
  bytesIn: number;
  bytesOut: number;
}

/** By tool, by person, and all together. */
type Counted = Record<string, Counts>;

const noCounts = (): Counts => ({
  ...{ calls: 0, refusals: 0, errors: 0, upstreamErrors: 0, bytesIn: 0, bytesOut: 0 },
});

function add(counted: Counted, key: string, more: Counts): void {
  counted[key] ??= noCounts();
  const counts = counted[key];
  for (const name of Object.keys(counts) as (keyof Counts)[]) counts[name] += more[name];
}

/** The hours that the test may run in. */
const SPAN = `from=${new Date(Date.now() - HOUR).toISOString()}&to=${new Date(Date.now() + HOUR).toISOString()}`;

async function readUsage(api: Api, { applicationId }: CountedRoute): Promise<Counted> {
  const counted: Counted = {};
  for (const groupBy of ['tool', 'person', '']) {
    const asked = `step=hour&applicationId=${applicationId}${groupBy && `&groupBy=${groupBy}`}`;
    const { body } = await api.expect(200, 'GET', `/usage?${SPAN}&${asked}`);
    for (const { key, points } of body.series) {
      for (const point of points) add(counted, key ?? 'all', point);
    }
  }
  return counted;
}

async function readAudit(api: Api, { applicationId }: CountedRoute): Promise<Counted> {
  const counted: Counted = {};
  const path = `/audit-events?kind=call&limit=100&applicationId=${applicationId}`;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await api.expect(200, 'GET', cursor === '' ? path : `${path}&cursor=${cursor}`);
    for (const { outcome, details } of page.body.items) {
      const { status, bytesIn, bytesOut, name, userId } = details;
      const failed = outcome === 'relayed' && status >= 500;
      const counts = {
        ...noCounts(),
        ...{ calls: 1, bytesIn, bytesOut },
        refusals: outcome === 'policy' ? 1 : 0,
        upstreamErrors: failed ? 1 : 0,
      };
      for (const key of [name, userId, 'all']) add(counted, key, counts);
    }
    cursor = page.body.nextCursor;
  }
  return counted;
}

/** An integration with its own path at the upstream. */
interface CountedRoute extends TestRoute {
  readonly target: string;
}

async function startInstallation() {
  const database = await createEmptyPostgresql();
  onTestFinished(() => database.drop());
  const upstream = await startAnswering();
  onTestFinished(() => upstream.close());
  const { databaseUrl } = database.config;
  const bootstrapToken = randomSecret();
  const env = { GATEHOUSE_PUBLIC_URL: 'http://127.0.0.1:1' };
  const start = () => startServer({ databaseUrl, bootstrapToken, env });
  const nodes: [LaunchedGatehouse, LaunchedGatehouse] = [await start(), await start()];
  const api = createApi(nodes[0]);
  const tokens = [(await addMember(api)).token, (await addMember(api)).token];
  const addRoute = async (target: string): Promise<CountedRoute> => {
    const url = new URL(target, upstream.url).href;
    const route = await createRoute(api, { url, authMode: 'none' });
    const body = { tools: { deny: ['denied'] } };
    await api.expect(200, 'PUT', `/integrations/${route.integrationId}/policy`, { body });
    return { ...route, target };
  };
  const routes = [await addRoute('/node-0'), await addRoute('/node-1')];
  return {
    ...{ nodes, api, routes, upstream },
    clients: routes.map((route) => BATCHES.map((count) => randomClient(route, tokens, count))),
    async restart(index: number): Promise<void> {
      nodes[index] = await start();
    },
  };
}

async function startAnswering(): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream();
  upstream.otherwise(({ request, respond, respondResult }) => {
    if (request.body.includes('"fail"')) respond({ status: 500, body: {} });
    else if (request.body.toString().startsWith('[')) respond({ body: answersTo(request.body) });
    else respondResult({});
  });
  return upstream;
}

function answersTo(batch: Buffer): object[] {
  return JSON.parse(batch.toString()).map(({ id }: { id: unknown }) => ({
    jsonrpc: '2.0',
    id,
    result: {},
  }));
}

/** Calls any tools as any of these people. @param messages in each body */
function randomClient(
  { path }: TestRoute,
  tokens: readonly string[],
  messages: number,
): LoadClient {
  const call = (id: number) => {
    const params = { name: oneOf(TOOLS), arguments: {} };
    return { jsonrpc: '2.0', id, method: 'tools/call', params };
  };
  const send: LoadClient['send'] = (origin, requestId) => {
    const body = messages === 1 ? call(1) : Array.from({ length: messages }, (_, id) => call(id));
    return sendJson('POST', origin + path, { token: oneOf(tokens), requestId, body });
  };
  return { send, events: messages };
}

const oneOf = <T>(items: readonly T[]): T => at(items, Math.floor(Math.random() * items.length));

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error('There is no such item.');
  return item;
}
