import { Agent } from 'node:http';
import { type LaunchedGatehouse, startFaultProxy } from '@gatehouse/harness';
import { startScriptedUpstream } from '@gatehouse/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isListening } from '../support/is-listening.ts';
import { createApi } from './support/api.ts';
import { openCall, readAll } from './support/raw-call.ts';
import { createRoute } from './support/routes.ts';
import { startServer } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';

vi.setConfig({ testTimeout: 240_000 });

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}';

describe('SIGTERM', () => {
  test('lets management calls in flight finish, takes calls on open connections, and closes each with its response', async () => {
    const slow = await startScriptedUpstream();
    onTestFinished(() => slow.close());
    const upstream = await startScriptedUpstream();
    onTestFinished(() => upstream.close());
    upstream.otherwise(({ respondResult }) => respondResult({}));
    const server = await startServer();
    const api = createApi(server);
    const { body } = await api.expect(201, 'POST', '/integrations', {
      body: { name: 'Slow', url: slow.url },
    });
    const route = await createRoute(api, { url: upstream.url });
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    onTestFinished(() => agent.destroy());
    const token = server.bootstrapToken;
    const call = () => openCall(server.origin + route.path, { token, body: CALL, agent }).response;
    const probe = () =>
      openCall(`${server.origin}/readyz`, { method: 'GET', token, agent }).response;
    await Promise.all((await Promise.all([call(), probe()])).map(readAll));
    const validating = api.call('POST', `/integrations/${body.integration.id}/validate`);
    const exchange = await slow.nextRequest();
    slow.otherwise(({ respond }) => respond({ status: 401 }));

    const ended = server.stop();
    await untilNotListening(server);
    const called = await call();
    expect([called.statusCode, called.headers.connection]).toEqual([200, 'close']);
    const probed = await probe();
    expect([probed.statusCode, probed.headers.connection]).toEqual([503, 'close']);
    for (const response of [called, probed]) await readAll(response);

    exchange.respond({ status: 401 });
    const { status, headers, body: validated } = await validating;
    expect([status, validated.status]).toEqual([200, 'invalid']);
    expect(validated.message).not.toContain('reach');
    expect(headers.get('content-type')).toContain('json');
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(server.stderr).toBe('');
    expect(server.stdout).toContain('"msg":"shutting down"');
    expect(server.stdout).toMatch(/"ms":\d+,"isComplete":true,"msg":"shut down"/);
  });

  test.runIf(hasPostgresql)(
    'while the database is away ends all the same, with exit code 1 and what was not written in the log',
    async () => {
      const database = await createEmptyPostgresql();
      onTestFinished(() => database.drop());
      const url = new URL(database.config.databaseUrl);
      const proxy = await startFaultProxy({
        target: { host: url.hostname, port: Number(url.port || 5432) },
      });
      onTestFinished(() => proxy.close());
      url.host = `${proxy.host}:${proxy.port}`;
      const server = await startServer({ databaseUrl: url.href });
      await createApi(server).expect(200, 'GET', '/me');
      proxy.setFault({ kind: 'reset' });
      expect(await server.stop()).toEqual({ code: 1, signal: null });
      expect(server.stderr).toBe('');
      const logged = server.stdout
        .split('\n')
        .filter((line) => line.includes('not ended in order'));
      expect(logged.map((line) => JSON.parse(line).step).sort()).toEqual([
        'audit',
        'sessions',
        'token usage',
      ]);
      expect(server.stdout).not.toContain(`${proxy.host}:${proxy.port}`);
    },
  );
});

async function untilNotListening({ port }: LaunchedGatehouse): Promise<void> {
  await vi.waitUntil(async () => !(await isListening(port)), { timeout: 30_000, interval: 10 });
}
