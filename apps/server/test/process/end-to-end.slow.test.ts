import { createRecordingFetch, type LaunchedGatehouse, type McpEra } from '@gatehouse/harness';
import { startUpstream, type Upstream, type UpstreamOptions } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Api, createApi } from './support/api.ts';
import { connectThroughGateway } from './support/mcp-users.ts';
import { addMember, createRoute, randomSecret, type TestMember } from './support/routes.ts';
import { startServer } from './support/servers.ts';
import { createWitness } from './support/witness.ts';

vi.setConfig({ testTimeout: 240_000 });

/** For rows that are written behind the calls, every second. */
const EVENTUALLY = { timeout: 60_000 };

const witness = createWitness();
const upstreams: Upstream[] = [];
let server: LaunchedGatehouse;
let api: Api;
let member: TestMember;

beforeAll(async () => {
  server = await startServer({ env: { GATEHOUSE_LOG_LEVEL: 'trace' } }, witness);
  witness.secret('the owner token', server.bootstrapToken);
  api = createApi(server, witness);
  member = await addMember(createApi(server));
  witness.secret('the token of the member', member.token);
});

afterAll(async () => {
  await Promise.all(upstreams.map((upstream) => upstream.close()));
});

/** What the upstream demands, the integration that satisfies it, and which credential that takes. */
interface Mode {
  readonly demand: (secret: string) => UpstreamOptions;
  readonly integration: (secret: string) => Readonly<Record<string, unknown>>;
  readonly connection?: (secret: string) => unknown;
}

const X_API_KEY = {
  type: 'object',
  properties: {
    key: { type: 'string', 'x-header': 'X-Api-Key', 'x-prefix': 'Key ' },
    region: { type: 'string' },
  },
  required: ['key'],
};

const modes: Readonly<Record<string, Mode>> = {
  none: { demand: () => ({}), integration: () => ({ authMode: 'none' }) },
  server_token: {
    demand: (secret) => ({ requireBearer: secret }),
    integration: (secret) => ({ authMode: 'server_token', serverToken: secret }),
  },
  'user_token, one token': {
    demand: (secret) => ({ requireBearer: secret }),
    integration: () => ({ authMode: 'user_token' }),
    connection: (secret) => ({ token: secret }),
  },
  'user_token, fields sent as headers': {
    demand: (secret) => ({ requireHeader: { name: 'X-Api-Key', value: `Key ${secret}` } }),
    integration: () => ({ authMode: 'user_token', credentialSchema: X_API_KEY }),
    connection: (secret) => ({ fields: { key: secret, region: 'eu' } }),
  },
};

async function startWitnessedUpstream(label: string, options: UpstreamOptions): Promise<Upstream> {
  const upstream = await startUpstream(options);
  upstreams.push(upstream);
  witness.upstream(label, upstream);
  return upstream;
}

async function startMode(name: string, mode: Mode) {
  const secret = witness.secret(`the upstream token of ${name}`, randomSecret(), {
    mayBeIn: ['upstream'],
  });
  const upstream = await startWitnessedUpstream(name, mode.demand(secret));
  const route = await createRoute(api, { url: upstream.url, ...mode.integration(secret) });
  if (mode.connection !== undefined) {
    await api.expect(200, 'POST', `/integrations/${route.integrationId}/connection`, {
      token: member.token,
      body: mode.connection(secret),
    });
  }
  return { upstream, route, secret };
}

describe.each(Object.entries(modes))('an integration of mode %s', (name, mode) => {
  test.each(['legacy', 'modern'] as const)(
    'lists and calls tools for a %s client, and each side sees its own secrets alone',
    async (era) => {
      const { upstream, route, secret } = await startMode(`${name}, ${era}`, mode);
      const client = await connectThroughGateway(witness, server, route, {
        era,
        token: member.token,
      });
      expect(await client.listTools()).toContain('echo');
      expect(await client.callTool('add', { a: 20, b: 22 })).toBe('42');
      expect(await client.callTool('echo', { text: 'Grüße, 世界' })).toBe('Grüße, 世界');
      const ownSession = client.transport.sessionId;
      const upstreamSessions = [...upstream.sessionIds];
      await client.close();

      expect(upstream.hasReceived(secret)).toBe(name !== 'none');
      expect(upstream.hasReceived(member.token)).toBe(false);
      expect(client.received.hasReceived(secret)).toBe(false);
      const methods = new Set(upstream.requests.map(({ method }) => method));
      if (era === 'modern') {
        expect([methods, ownSession]).toEqual([new Set(['POST']), undefined]);
        return;
      }
      expect(methods).toEqual(new Set(['POST', 'GET', 'DELETE']));
      expect(upstreamSessions).toHaveLength(1);
      expect(ownSession).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(upstream.hasReceived(ownSession ?? '')).toBe(false);
      expect(upstream.hasReceived(upstreamSessions[0] ?? '')).toBe(true);
      expect(client.received.hasReceived(upstreamSessions[0] ?? '')).toBe(false);
      witness.secret(`the upstream's session id, ${name}`, upstreamSessions[0] ?? '', {
        mayBeIn: ['upstream'],
      });
    },
  );

  test('is validated with the same credential', async () => {
    const { route } = await startMode(`${name}, validated`, mode);
    if (mode.connection === undefined) {
      const validated = await validate(route.integrationId);
      expect(validated).toMatchObject({ status: 'valid' });
    } else {
      // The owner, who validates, has no connection.
      expect(await validate(route.integrationId)).toMatchObject({ status: 'pending' });
    }
  });
});

describe('a credential', () => {
  test.each(['legacy', 'modern'] as const)(
    'that is missing is asked for in JSON-RPC, to a %s client',
    async (era) => {
      const upstream = await startWitnessedUpstream('missing', {});
      const route = await createRoute(api, { url: upstream.url, authMode: 'user_token' });
      const { status, body } = await post(route.path, era, 'tools/call');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        jsonrpc: '2.0',
        id: 7,
        error: {
          code: -31001,
          data: { code: 'connection_required', integrationId: route.integrationId },
        },
      });
      // Gatehouse itself may have asked which eras the upstream speaks.
      expect(upstream.hasReceived('tools/call')).toBe(false);
      expect(upstream.hasReceived('authorization')).toBe(false);
    },
  );

  test('that the upstream refuses is reported to the client, and on the connection until it works', async () => {
    const secret = witness.secret('a token the upstream refuses at first', randomSecret(), {
      mayBeIn: ['upstream'],
    });
    let isRefusing = true;
    const upstream = await startWitnessedUpstream('refusing', {
      requireBearer: secret,
      authorize: () => !isRefusing,
    });
    const route = await createRoute(api, { url: upstream.url, authMode: 'user_token' });
    const path = `/integrations/${route.integrationId}/connection`;
    const { token } = member;
    const readReason = async () =>
      (await api.expect(200, 'GET', path, { token })).body.connection.reason;
    await api.expect(200, 'POST', path, { token, body: { token: secret } });

    const { status, body } = await ping(route.path, 'modern');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 7,
      error: { code: -31001, data: { code: 'credential_rejected' } },
    });
    const rejected = { connected: true, status: 'connected', reason: 'rejected_upstream' };
    await vi.waitUntil(async () => (await readReason()) !== undefined, EVENTUALLY);
    expect((await api.expect(200, 'GET', path, { token })).body).toEqual({ connection: rejected });
    const read = await api.expect(200, 'GET', `/integrations/${route.integrationId}`, { token });
    expect(read.body.integration.userConnection).toEqual(rejected);

    isRefusing = false;
    const client = await connectThroughGateway(witness, server, route, { era: 'modern', token });
    expect(await client.callTool('echo', { text: 'again' })).toBe('again');
    await client.close();
    await vi.waitUntil(async () => (await readReason()) === undefined, EVENTUALLY);
  });
});

describe('a session', () => {
  test('is counted while it is open, live while its stream is, and closed by its client', async () => {
    const { route } = await startMode('counted', modes.none ?? expect.fail());
    const client = await connectThroughGateway(witness, server, route, {
      era: 'legacy',
      token: member.token,
    });
    await client.listTools();
    const path = `/applications/${route.applicationId}`;
    const counts = async () => {
      const { application } = (await api.expect(200, 'GET', path)).body;
      const { activeSessionCount, idleSessionCount, liveSessionCount, totalSessionCount } =
        application;
      return [activeSessionCount, idleSessionCount, liveSessionCount, totalSessionCount];
    };
    await vi.waitUntil(async () => (await counts())[2] === 1, EVENTUALLY);
    expect(await counts()).toEqual([1, 0, 1, 1]);
    const { items } = (await api.expect(200, 'GET', `${path}/sessions`)).body;
    expect(items).toMatchObject([
      {
        integrationId: route.integrationId,
        userId: member.id,
        era: 'legacy',
        state: 'open',
        live: true,
        endedAt: null,
      },
    ]);

    await client.close();
    await vi.waitUntil(async () => (await counts())[2] === 0, EVENTUALLY);
    expect(await counts()).toEqual([0, 0, 0, 1]);
    const closed = (await api.expect(200, 'GET', `${path}/sessions`)).body.items;
    expect(closed).toMatchObject([{ state: 'closed', live: false, endedAt: expect.any(String) }]);
  });

  test('of a modern client is its activity, and one only', async () => {
    const { route } = await startMode('counted, modern', modes.none ?? expect.fail());
    const client = await connectThroughGateway(witness, server, route, {
      era: 'modern',
      token: member.token,
    });
    for (let call = 0; call < 3; call += 1) await client.callTool('echo', { text: 'hello' });
    await client.close();
    const path = `/applications/${route.applicationId}`;
    expect((await api.expect(200, 'GET', path)).body.application).toMatchObject({
      activeSessionCount: 1,
      totalSessionCount: 1,
    });
    const { items } = (await api.expect(200, 'GET', `${path}/sessions`)).body;
    expect(items).toMatchObject([{ era: 'modern', state: 'open' }]);
  });

  test.each(['legacy', 'modern'] as const)(
    'of a %s client ends when its integration is detached, and does not come back',
    async (era) => {
      const { upstream, route } = await startMode(`detached, ${era}`, modes.none ?? expect.fail());
      const client = await connectThroughGateway(witness, server, route, {
        era,
        token: member.token,
      });
      await client.listTools();
      const attachment = `/applications/${route.applicationId}/integrations/${route.integrationId}`;
      await api.expect(204, 'DELETE', attachment);
      const before = upstream.requests.filter(({ method }) => method === 'POST').length;
      await expect(client.callTool('echo', { text: 'late' })).rejects.toThrow();
      expect(client.received.responses.at(-1)?.status).toBe(404);
      expect(upstream.requests.filter(({ method }) => method === 'POST')).toHaveLength(before);

      await api.expect(204, 'POST', attachment);
      const { sessionId } = client.transport;
      if (sessionId !== undefined) {
        const again = await ping(route.path, era, { 'mcp-session-id': sessionId });
        expect([again.status, again.body.code]).toEqual([404, 'session_not_found']);
      }
      const { items } = (
        await api.expect(200, 'GET', `/applications/${route.applicationId}/sessions`)
      ).body;
      expect(items).toMatchObject([{ state: 'revoked' }]);
      await client.client.close();
    },
  );
});

test('no secret of these tests appears where it must not', async () => {
  const metrics = await api.expect(200, 'GET', '//metrics');
  expect(metrics.text).toContain('gatehouse_gateway_calls_total');
  for (const path of ['/me', '/tokens', '/members', '/integrations', '/applications?all=true']) {
    await api.expect(200, 'GET', path);
  }
  await api.expect(200, 'GET', '/applications/access-graph?includePolicy=true');
  expect((await server.stop()).code).toBe(0);
  const { log, upstream, client, management, secrets } = witness.counts();
  expect([log, upstream > 10, client > 10, management > 50, secrets > 20]).toEqual([
    1,
    true,
    true,
    true,
    true,
  ]);
  expect(witness.leaks()).toEqual([]);
});

async function validate(integrationId: string): Promise<unknown> {
  return (await api.expect(200, 'POST', `/integrations/${integrationId}/validate`)).body;
}

/** One raw request through the gateway that every upstream answers. */
function ping(path: string, era: McpEra, headers: Readonly<Record<string, string>> = {}) {
  return post(path, era, 'ping', headers);
}

async function post(
  path: string,
  era: McpEra,
  method: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const recording = createRecordingFetch();
  witness.client(`${method} of ${path}`, recording);
  const version = era === 'legacy' ? '2025-11-25' : '2026-07-28';
  const response = await recording.fetch(server.origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${member.token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': version,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
