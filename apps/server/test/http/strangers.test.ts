import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../authorization-server/fixture.ts';
import { givePassword, signedInBrowser } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

async function start(): Promise<TestServer> {
  const server = await startTestServer({ rateLimit: 600, trustedProxies: ['127.0.0.1'] });
  onTestFinished(() => server.close());
  return server;
}

interface Visit {
  readonly path: string;
  readonly from: string;
  readonly init?: RequestInit;
}

async function statusOf(server: TestServer, { path, from, init }: Visit): Promise<number> {
  const headers = { 'x-forwarded-for': from, ...init?.headers };
  const response = await fetch(server.origin + path, { redirect: 'manual', ...init, headers });
  await response.text();
  return response.status;
}

/** The status of a client's registration. */
function register(server: TestServer, from: string): Promise<number> {
  const body = '{"redirect_uris":["https://app.example/callback"]}';
  const headers = { 'content-type': 'application/json' };
  return statusOf(server, {
    path: '/oauth/register',
    from,
    init: { method: 'POST', body, headers },
  });
}

/** How many of these visits at once were not answered with 429. */
async function countAnswered(server: TestServer, times: number, visit: Visit): Promise<number> {
  let answered = 0;
  for (let sent = 0; sent < times; sent += 50) {
    const visits = Array.from({ length: Math.min(50, times - sent) }, () =>
      statusOf(server, visit),
    );
    answered += (await Promise.all(visits)).filter((status) => status !== 429).length;
  }
  return answered;
}

describe('requests without a token', () => {
  it('are 1,200 a minute from one address, which takes nothing from another', async () => {
    const server = await start();
    const visit = { path: '/.well-known/openid-configuration', from: '192.0.2.1' };
    expect(await countAnswered(server, 1_250, visit)).toBe(1_200);
    const page = { path: '/sign-in', from: '192.0.2.1' };
    const refused = await fetch(server.origin + page.path, {
      headers: { 'x-forwarded-for': page.from },
    });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('content-type')).toContain('text/html');
    expect(await statusOf(server, { ...page, from: '192.0.2.2' })).toBe(200);
    for (const path of ['/api/v1/openapi.json', '/healthz/stream']) {
      expect({ path, status: await statusOf(server, { ...page, path }) }).toEqual({
        path,
        status: 429,
      });
    }
    // Requests with a token have their own limits.
    const headers = { authorization: `Bearer ${server.owner}` };
    const withToken = { path: '/api/v1/me', from: '192.0.2.1', init: { headers } };
    expect(await statusOf(server, withToken)).toBe(200);
    expect(await statusOf(server, { path: '/readyz', from: '192.0.2.1' })).toBe(200);
  });

  it('that ask whether the node is ready share a look at the database', async () => {
    const server = await start();
    const statements = vi.spyOn(server.store, 'statement');
    expect(await countAnswered(server, 500, { path: '/readyz', from: '192.0.2.1' })).toBe(500);
    expect(statements.mock.calls.length).toBeGreaterThan(0);
    expect(statements.mock.calls.length).toBeLessThan(100);
  });

  it('count all addresses of an IPv6 network of 64 bits as one', async () => {
    const server = await start();
    await createClient(server, { allowDynamicClients: true });
    const statuses = [];
    for (let host = 1; host <= 21; host += 1)
      statuses.push(await register(server, `2001:db8::${host}`));
    expect(statuses).toEqual([...Array(20).fill(201), 429]);
  });

  it('of one IPv6 network of 48 bits leave three quarters of the registrations to others', async () => {
    const server = await start();
    await createClient(server, { allowDynamicClients: true });
    const statuses = [];
    for (let part = 1; part <= 51; part += 1)
      statuses.push(await register(server, `2001:db8:1:${part}::1`));
    expect(statuses).toEqual([...Array(50).fill(201), 429]);
    expect(await register(server, '2001:db8:2::1')).toBe(201);
  });

  it('begin 300 authorizations a minute from one address', async () => {
    const server = await start();
    const visit = { path: '/oauth/authorize', from: '192.0.2.1' };
    expect(await countAnswered(server, 310, visit)).toBe(300);
    expect(await statusOf(server, { ...visit, from: '192.0.2.2' })).toBe(400);
    expect(await statusOf(server, { ...visit, path: '/sign-in' })).toBe(200);
  });

  it('do not use up what a browser needs that is signed in at the same address', async () => {
    const server = await start();
    const browser = await signedInBrowser(server, await givePassword(server.store));
    expect((await browser.send('GET', '/account')).status).toBe(200);
    await countAnswered(server, 1_250, { path: '/oauth/register', from: '127.0.0.1' });
    expect(await statusOf(server, { path: '/sign-in', from: '127.0.0.1' })).toBe(429);
    expect((await browser.send('GET', '/account')).status).toBe(200);
  });

  it('are 64 at a time from one address', async () => {
    const server = await start();
    // A body that does not end keeps a request in hand.
    const body = () => new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('a')) });
    const controller = new AbortController();
    const { signal } = controller;
    const headers = {
      'x-forwarded-for': '192.0.2.1',
      'content-type': 'application/x-www-form-urlencoded',
      origin: server.origin,
    };
    const slow = Array.from({ length: 64 }, () => {
      const init = { method: 'POST', body: body(), duplex: 'half', headers, signal } as const;
      return fetch(`${server.origin}/sign-in`, init as RequestInit).catch(() => undefined);
    });
    const visit = { path: '/sign-in', from: '192.0.2.1' };
    await expect.poll(() => statusOf(server, visit)).toBe(429);
    expect(await statusOf(server, { ...visit, from: '192.0.2.2' })).toBe(200);
    controller.abort();
    await Promise.all(slow);
    await expect.poll(() => statusOf(server, visit)).toBe(200);
  });
});
