import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { createApi } from './support/api.ts';
import { readAll } from './support/raw-call.ts';
import { createRoute } from './support/routes.ts';
import { startServer } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

/** One connection, which is open before the descriptors run out. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterFile(() => agent.destroy());

/** An upstream that closes each connection, so that every call needs a new one. */
const upstream = createServer((req, res) => {
  req.resume().on('end', () => {
    res.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{}');
  });
});
afterFile(() => upstream.close());

// prlimit(1) is of Linux.
test.runIf(process.platform === 'linux')(
  'a call that finds no file descriptor for its upstream gets 503 and can be sent again',
  async () => {
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const { port } = upstream.address() as AddressInfo;
    const server = await startServer();
    const api = createApi(server);
    const { path } = await createRoute(api, {
      url: `http://127.0.0.1:${port}/mcp`,
      authMode: 'none',
    });
    const call = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${server.bootstrapToken}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/list',
        };
        request(`${server.origin}${path}`, { method: 'POST', agent, headers })
          .once('response', resolve)
          .once('error', reject)
          .end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
      });
    const setLimit = (limit: number) =>
      execFileSync('prlimit', ['--pid', String(server.pid), `--nofile=${limit}:`]);

    const before = await call();
    expect(before.statusCode).toBe(200);
    await readAll(before);
    setLimit(3);
    const refused = await call().finally(() => setLimit(1_024));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(await readAll(refused))).toMatchObject({ code: 'overloaded' });
    const next = await call();
    expect(next.statusCode).toBe(200);
    await readAll(next);
  },
);
