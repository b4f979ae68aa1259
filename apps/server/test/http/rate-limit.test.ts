import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rateLimit: 5 });
});
afterAll(() => server.close());

it('says what is left, then 429 with Retry-After, and keeps other tokens apart', async () => {
  const first = await server.call('GET', '/me');
  expect(first.headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^"default";r=4;t=\d+$/);
  const member = await server.addMember('member');
  for (let i = 0; i < 3; i += 1) await server.call('GET', '/me');
  const refused = await server.call('GET', '/me');
  expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await server.call('GET', '/me', { token: member.token })).status).toBe(200);
});

it('slows guessing of tokens down without shutting out a good one', async () => {
  const guess = () => server.call('GET', '/me', { token: `guess-${crypto.randomUUID()}` });
  const statuses = [];
  for (let i = 0; i < 22; i += 1) statuses.push((await guess()).status);
  expect(statuses.slice(0, 20).every((status) => status === 401)).toBe(true);
  expect(statuses.slice(20)).toEqual([429, 429]);
});

it('counts failed authentications at the gateway too', async () => {
  const url = `${server.origin}/mcp/${crypto.randomUUID()}/${crypto.randomUUID()}`;
  const guess = () =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer guess-${crypto.randomUUID()}` },
    });
  const statuses = [];
  for (let i = 0; i < 21; i += 1) statuses.push((await guess()).status);
  expect(statuses.at(-1)).toBe(429);
});
