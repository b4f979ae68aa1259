import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEvent } from '@gatehouse/contract';
import type { GatehouseOptions, LaunchedGatehouse } from '@gatehouse/harness';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Api, createApi } from './support/api.ts';
import { startEchoUpstream } from './support/echo-upstream.ts';
import { addMember, createRoute, randomSecret } from './support/routes.ts';
import { type RanCommand, runCommand, runCommandHere } from './support/run-command.ts';
import { startServer } from './support/servers.ts';
import { type SteadyCall, startSteadyCalls } from './support/steady-calls.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';

vi.setConfig({ testTimeout: 400_000 });

/** Calls in a second. */
const RATE = Number(process.env.GATEHOUSE_ROTATION_RATE ?? 10);

const textOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

test('an embedded installation replaces its key while calls go on', async () => {
  const server = await startServer();
  const env = { GATEHOUSE_DATA_DIR: server.dataDir };
  const run = async (...args: string[]) => {
    const ran = await runCommandHere([...args, '--json'], env);
    // In every state there are calls of every kind.
    await delay(500);
    return ran;
  };
  const calls = await startCalls(createApi(server), [server]);

  const { keys } = (await run('keys', 'status')).json;
  const old = keys[0].id;
  expect(keys).toMatchObject([{ isSealing: true, hasSealed: true, rows: { Connection: 1 } }]);
  const added = await runCommand(['keys', 'add', '--json'], env);
  expect([added.code, added.stderr]).toEqual([0, '']);
  const { id, value } = added.json;
  expect(value).toBeUndefined();
  const tooEarly = await run('keys', 'retire', old, '--now');
  expect(tooEarly).toMatchObject({ code: 1, json: { error: expect.stringContaining('seals') } });
  expect((await run('keys', 'activate', id)).json).toMatchObject({ isActive: true });
  const sealed = await run('keys', 'retire', old, '--now');
  expect(sealed.json.error).toContain('gatehouse keys rewrap');
  const rewrapped = await run('keys', 'rewrap');
  expect(rewrapped).toMatchObject({ code: 0, json: { sealingKeyId: id, left: 0, unreadable: 0 } });
  expect(rewrapped.json.rewrapped).toBeGreaterThanOrEqual(3);
  const recognizing = await run('keys', 'retire', old);
  expect(recognizing.code).toBe(1);
  expect((await run('keys', 'retire', old, '--now')).json).toMatchObject({ isRemoved: true });

  const next = await run('keys', 'status');
  expect(next.json.keys).toMatchObject([{ id, isSealing: true }]);
  const { body } = await createApi(server).expect(200, 'GET', '/audit-events?kind=management');
  const told = body.items.map(({ action, details }: AuditEvent) => [action, details.keyId]);
  expect(told.filter(([action]: string[]) => action?.startsWith('installation.'))).toEqual([
    ['installation.key_retired', old],
    ['installation.resealed', id],
    ['installation.key_activated', id],
    ['installation.key_added', id],
  ]);
  await calls.takeOut(server.origin);
  await server.stop();
  const { dataDir, bootstrapToken, port } = server;
  const again = await startServer({ dataDir, bootstrapToken, port });
  calls.putIn(again.origin);
  await delay(1_000);
  await calls.stop();
  expect(calls.failures).toEqual([]);
  expect(calls.made).toBeGreaterThan(100);
  await again.stop();
});

describe.runIf(hasPostgresql)('two nodes on PostgreSQL', () => {
  test('are restarted one after the other for each step, and no call fails', async () => {
    const [first, second] = [textOf('first'), textOf('second')];
    const database = await createEmptyPostgresql();
    onTestFinished(() => database.drop());
    const { databaseUrl } = database.config;
    const bootstrapToken = randomSecret();
    const start = (keys: string[], options: GatehouseOptions = {}) => {
      const env = {
        GATEHOUSE_ENCRYPTION_KEYS: keys.join(','),
        GATEHOUSE_PUBLIC_URL: 'http://127.0.0.1:1',
      };
      return startServer({ databaseUrl, bootstrapToken, env, ...options });
    };
    const run = (keys: string[], ...args: string[]): Promise<RanCommand> =>
      runCommandHere([...args, '--json'], {
        DATABASE_URL: databaseUrl,
        GATEHOUSE_ENCRYPTION_KEYS: keys.join(','),
      });

    const nodes = [await start([first]), await start([first])];
    const calls = await startCalls(createApi({ ...at(nodes, 0), bootstrapToken }), nodes);
    const restart = async (index: number, keys: string[]) => {
      const { origin, port, ...node } = at(nodes, index);
      await calls.takeOut(origin);
      expect((await node.stop()).code).toBe(0);
      nodes[index] = await start(keys, { port });
      calls.putIn(origin);
    };

    const fresh = await run([first], 'keys', 'add');
    expect(fresh.json.value).toMatch(/^\d{4}-\d\d-\d\d-[0-9a-f]{8}:[A-Za-z0-9+/]{43}=$/);

    await restart(0, [first, second]);
    const early = await run([first, second], 'keys', 'activate', 'second');
    expect(early).toMatchObject({
      code: 1,
      json: { error: expect.stringMatching(/missing on .+/) },
    });
    await expect(start([second, first])).rejects.toThrow('do not share a key');
    await restart(1, [first, second]);
    const ready = await run([first, second], 'keys', 'activate', 'second');
    expect(ready).toMatchObject({ code: 0, json: { isActive: false } });

    await restart(0, [second, first]);
    const half = await run([second, first], 'keys', 'rewrap');
    expect(half).toMatchObject({ code: 1, json: { error: expect.stringContaining('seal with') } });
    await restart(1, [second, first]);
    const done = await run([second, first], 'keys', 'rewrap');
    expect(done).toMatchObject({ code: 0, json: { left: 0, unreadable: 0 } });
    expect(done.json.rewrapped).toBeGreaterThanOrEqual(3);
    const retired = await run([second, first], 'keys', 'retire', 'first', '--now');
    expect(retired).toMatchObject({ code: 0, json: { isRemoved: false } });

    await restart(0, [second]);
    await restart(1, [second]);
    await delay(1_000);
    await calls.stop();
    expect(calls.failures).toEqual([]);
    expect(calls.made).toBeGreaterThan(RATE * 10);
    const { json } = await run([second], 'keys', 'status');
    expect(json.keys).toMatchObject([{ id: 'second', isSealing: true, missingOn: [] }]);
    expect(json.nextStep).toContain('Nothing has to be done');
    await Promise.all(nodes.map((node) => node.stop()));
    await expect(start([first, second])).rejects.toThrow('was retired');
  });
});

/** Calls with a server token, a person's credential in a session, and to the management API. */
async function startCalls(api: Api, nodes: readonly LaunchedGatehouse[]) {
  const upstream = await startEchoUpstream();
  onTestFinished(() => upstream.close());
  const [serverToken, own] = [randomSecret(), randomSecret()];
  const shared = await createRoute(api, {
    url: upstream.url,
    authMode: 'server_token',
    serverToken,
  });
  const personal = await createRoute(api, { url: upstream.url, authMode: 'user_token' });
  const member = await addMember(api);
  await api.expect(200, 'POST', `/integrations/${personal.integrationId}/connection`, {
    token: member.token,
    body: { token: own },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  const modern = { 'mcp-protocol-version': '2026-07-28' };
  const opened = await post(at(nodes, 0).origin + personal.path, member.token, {}, 'initialize');
  const sessionId = opened.headers.get('mcp-session-id') ?? '';
  const legacy = { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': sessionId };

  const call =
    (path: string, headers: Record<string, string>, credential: string): SteadyCall =>
    async (origin) => {
      const response = await post(origin + path, member.token, headers, 'tools/list');
      const text = await response.text();
      const isRight = response.status === 200 && text.includes(`Bearer ${credential}`);
      if (!isRight) throw new Error(`${path} ${response.status} ${text}`);
    };
  const me: SteadyCall = async (origin) => {
    const headers = { authorization: `Bearer ${member.token}` };
    const { status } = await fetch(`${origin}/api/v1/me`, { headers });
    if (status !== 200) throw new Error(`/me ${status}`);
  };
  const open: SteadyCall = async (origin) => {
    const response = await post(origin + personal.path, member.token, {}, 'initialize');
    await response.text();
    if (response.status !== 200) throw new Error(`initialize ${response.status}`);
  };
  const steady = [
    call(shared.path, modern, serverToken),
    call(personal.path, legacy, own),
    call(personal.path, modern, own),
    me,
    open,
  ];
  const running = startSteadyCalls(
    RATE,
    nodes.map(({ origin }) => origin),
    steady,
  );
  onTestFinished(() => running.stop());
  return running;
}

function post(url: string, token: string, headers: Record<string, string>, method: string) {
  return fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
  });
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error('There is no such item.');
  return item;
}
