import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer, useServer } from '../support/server.ts';

const server = useServer({ rateLimit: 5 });

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

describe('failed authentications', () => {
  const places = [
    ['GET', '/api/v1/me'],
    ['GET', '/metrics'],
    ['POST', `/mcp/${crypto.randomUUID()}/${crypto.randomUUID()}`],
  ] as const;

  it.each(places)(
    'slows guessing at %s %s down without shutting out a good token',
    async (...at) => {
      const guessed = await startTestServer({ rateLimit: 600 });
      onTestFinished(() => guessed.close());
      const [method, path] = at;
      const guess = () =>
        fetch(guessed.origin + path, {
          method,
          headers: { authorization: `Bearer guess-${crypto.randomUUID()}` },
        });
      const statuses = [];
      for (let i = 0; i < 22; i += 1) statuses.push((await guess()).status);
      expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
      expect((await guessed.call('GET', '/me')).status).toBe(200);
    },
  );
});
