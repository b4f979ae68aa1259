import { once } from 'node:events';
import { connect } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import { connectMcpClient, findFreePort, type McpEra } from '@gatehouse/harness';
import { type ScriptedUpstream, startScriptedUpstream, startUpstream } from '@gatehouse/testing';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readAll } from '../process/support/raw-call.ts';
import { createRoute } from '../process/support/routes.ts';
import { runCommand } from '../process/support/run-command.ts';
import { hasPostgresql } from '../process/support/stores.ts';
import { type ProxiedNodes, startProxiedNodes } from './support/proxied-nodes.ts';
import { PROXIES } from './support/proxies.ts';
import { authority, callBody, callHeaders, sendSecurely } from './support/secure-call.ts';
import { authorityFile } from './support/start-proxy.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const MIB = 1024 * 1024;

/** Milliseconds between the calls of each caller: a node is away for hundreds. */
const PAUSE = 20;

describe.skipIf(!hasPostgresql).each(PROXIES)('two nodes behind %s', (_, proxy) => {
  let nodes: ProxiedNodes;
  let upstream: ScriptedUpstream;
  let url: string;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    nodes = await startProxiedNodes(proxy);
    url = nodes.origin + (await createRoute(nodes.api, { url: upstream.url })).path;
  });
  afterAll(() => upstream?.close());

  const call = (body = callBody()) =>
    sendSecurely(url, { method: 'POST', headers: callHeaders(nodes.token), body });

  test('speak HTTP/2 to clients', async () => {
    const session = connect(nodes.origin, { ca: authority });
    onTestFinished(() => session.close());
    const stream = session.request({ ':path': '/readyz' });
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    expect(session.alpnProtocol).toBe('h2');
  });

  test('know their name by the Host of the request', async () => {
    const response = await sendSecurely(`${nodes.origin}/.well-known/oauth-authorization-server`);
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(await readAll(response))).toMatchObject({ issuer: nodes.origin });
    const other = await sendSecurely(`${nodes.origin}/api/v1/me`, {
      headers: { host: 'other.example.com' },
      servername: 'localhost',
    });
    expect(await readAll(other)).toMatch(proxy.toOtherHosts);
  });

  test('know the address of the client, whatever it claims', async () => {
    const attempt = async (localAddress: string) => {
      const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': crypto.randomUUID() };
      const response = await sendSecurely(`${nodes.origin}/api/v1/me`, {
        localAddress,
        family: 4,
        headers,
      });
      response.resume();
      return response.statusCode;
    };
    const statuses = new Set<number | undefined>();
    for (let count = 0; count < 60; count += 1) statuses.add(await attempt('127.0.0.2'));
    expect(statuses).toEqual(new Set([401, 429]));
    expect(await attempt('127.0.0.3')).toBe(401);
  });

  test('take bodies of 16 MiB at the gateway, and no larger ones', async () => {
    upstream.once((exchange) => exchange.respondResult({ bytes: exchange.request.body.length }));
    const response = await call(callBody(16 * MIB));
    expect(JSON.parse(await readAll(response))).toMatchObject({ result: { bytes: 16 * MIB } });
    expect((await call(callBody(16 * MIB + 1))).statusCode).toBe(413);
  });

  test.each(['POST', 'GET'])(
    'stream event by event, each before the next is sent, for %s',
    async (method) => {
      const version = { 'mcp-protocol-version': '2025-11-25' };
      const headers = { ...callHeaders(nodes.token), ...version };
      const sent = sendSecurely(url, {
        method,
        headers,
        ...(method === 'POST' && { body: callBody() }),
      });
      const exchange = await upstream.nextRequest();
      exchange.startSse();
      const response = await sent;
      for (let count = 0; count < 20; count += 1) {
        const received = once(response, 'data');
        await exchange.sendEvent({ id: String(count), data: { count } });
        expect(String((await received)[0])).toBe(`id: ${count}\ndata: {"count":${count}}\n\n`);
      }
      exchange.end();
      await once(response.resume(), 'end');
    },
  );

  const streamsBehind = async (origin: string) => {
    const env = { NODE_EXTRA_CA_CERTS: authorityFile };
    const { stdout } = await runCommand(['doctor', '--url', origin, '--json'], env);
    const { findings } = JSON.parse(stdout);
    return findings.find(({ about }: { about: string }) => about === 'event streams');
  };

  test('pass events on at once, as doctor sees', async () => {
    expect(await streamsBehind(nodes.origin)).toMatchObject({ status: 'ok' });
  });

  if (proxy.toBuffer !== undefined) {
    test('keep events back with another configuration, as doctor sees', async () => {
      const port = await findFreePort();
      await proxy.start(port, nodes.ports, proxy.toBuffer);
      expect(await streamsBehind(`https://localhost:${port}`)).toMatchObject({
        status: 'error',
        remedy: expect.stringContaining('proxy_buffering off'),
      });
    });
  }

  test.each<McpEra>(['legacy', 'modern'])(
    'serve the official client of the %s era',
    async (era) => {
      trustAuthority();
      const server = await startUpstream();
      onTestFinished(() => server.close());
      const route = await createRoute(nodes.api, { url: server.url });
      const client = await connectMcpClient({
        url: nodes.origin + route.path,
        era,
        bearer: nodes.token,
      });
      expect(await client.listTools()).toContain('echo');
      for (let count = 0; count < 10; count += 1) {
        expect(await client.callTool('echo', { text: `call ${count}` })).toBe(`call ${count}`);
      }
      await client.close();
    },
  );

  test('lose no call when they are restarted one after the other', async () => {
    upstream.otherwise((exchange) => exchange.respondResult({}));
    const before = upstream.requests.length;
    const statuses = new Map<number | string | undefined, number>();
    let isRestarting = true;
    const caller = async () => {
      while (isRestarting) {
        const status = await call()
          .then((response) => readAll(response).then(() => response.statusCode))
          .catch((error: Error) => error.message);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await delay(PAUSE);
      }
    };
    const callers = Array.from({ length: 4 }, caller);
    await delay(500);
    for (const node of [0, 1] as const) await nodes.restart(node);
    isRestarting = false;
    await Promise.all(callers);
    const made = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    expect([...statuses.keys()], JSON.stringify([...statuses])).toEqual([200]);
    expect(upstream.requests.length - before, 'no call was sent twice').toBe(made);
  }, 300_000);
});

/** For `fetch`, which the official client uses. */
function trustAuthority(): void {
  const before = getGlobalDispatcher();
  const agent = new Agent({ connect: { ca: authority } });
  setGlobalDispatcher(agent);
  onTestFinished(async () => {
    setGlobalDispatcher(before);
    await agent.close();
  });
}
