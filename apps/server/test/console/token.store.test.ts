import { beforeEach, describe, expect, it } from 'vitest';
import { type Browser, givePassword, linkFor, signedInBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';

const ELSEWHERE = 'https://elsewhere.example';
const server = useServer({ allowedOrigins: [ELSEWHERE] });
let person: { readonly id: string; readonly organizationId: string };
let browser: Browser;
beforeEach(async () => {
  const { id } = await server.addMember('admin');
  person = await server.store.db.user.findUniqueOrThrow({ where: { id } });
  browser = await signedInBrowser(server, person);
});

interface Asked {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly method?: string;
  readonly path?: string;
}

function ask(
  from: Pick<Browser, 'send'>,
  { headers, body = '{}', method = 'POST', path }: Asked = {},
) {
  const given = { origin: server.origin, 'content-type': 'application/json', ...headers };
  const sent = Object.entries(given).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return from.send(method, path ?? '/console/token', {
    headers: sent,
    ...(method === 'POST' ? { body } : {}),
  });
}

async function tokenOf(from: Browser): Promise<string> {
  const { status, text } = await ask(from);
  expect(status).toBe(200);
  return JSON.parse(text).accessToken;
}

async function statusOf(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.origin}/api/v1/me`, { headers })).status;
}

describe('POST /console/token', () => {
  it('answers a token for ten minutes and who is signed in, in no cache', async () => {
    const { headers, text } = await ask(browser);
    const { accessToken, userId, expiresAt } = JSON.parse(text);
    expect(userId).toBe(person.id);
    expect(headers.get('cache-control')).toBe('no-store');
    const minutes = (new Date(expiresAt).getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9.5);
    expect(minutes).toBeLessThanOrEqual(10);
    const me = await server.call('GET', '/me', { token: accessToken });
    expect(me.body).toMatchObject({
      user: { id: person.id },
      authentication: { method: 'console', expiresAt },
    });
  });

  it('requires a browser session', async () => {
    const { status, text } = await ask({
      send: (method, path, init) =>
        fetch(server.origin + path, { ...init, method }).then(async (response) => ({
          status: response.status,
          headers: response.headers,
          text: await response.text(),
        })),
    });
    expect([status, JSON.parse(text).code]).toEqual([401, 'unauthenticated']);
  });

  it.each([
    ['without Origin', { origin: undefined }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['from an origin that may call the API', { origin: ELSEWHERE }],
    ['from an opaque origin', { origin: 'null' }],
    ['that a browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['that a browser calls same-site', { 'sec-fetch-site': 'same-site' }],
  ])('refuses a request %s', async (_case, headers) => {
    const { status, text } = await ask(browser, { headers });
    expect([status, JSON.parse(text).code]).toEqual([403, 'origin_not_allowed']);
  });

  it('takes JSON alone, of its one field, and no other method', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ask(browser, { headers: form })).status).toBe(415);
    expect((await ask(browser, { body: '{' })).status).toBe(400);
    expect((await ask(browser, { body: '{"scope":"mcp"}' })).status).toBe(400);
    const got = await ask(browser, { method: 'GET' });
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('ends the silence of a browser session only after input', async () => {
    const where = { userId: person.id };
    const lastSeenAt = new Date(Date.now() - 3_600_000);
    await server.store.db.browserSession.updateMany({ where, data: { lastSeenAt } });
    const seen = async () =>
      (await server.store.db.browserSession.findFirstOrThrow({ where })).lastSeenAt.getTime();
    await ask(browser);
    expect(await seen()).toBe(lastSeenAt.getTime());
    await ask(browser, { body: '{"active":true}' });
    expect(Date.now() - (await seen())).toBeLessThan(60_000);
  });
});

describe('a token of the console', () => {
  it('may do what its person may: create tokens of every scope, and for ever', async () => {
    const created = await server.call('POST', '/tokens', {
      token: await tokenOf(browser),
      body: { name: 'Laptop', scopes: ['mcp', 'management:read', 'management:write'] },
    });
    expect(created.status).toBe(201);
    expect(created.body.token.expiresAt).toBeNull();
  });

  it('has the role of its person as it is now', async () => {
    const token = await tokenOf(browser);
    expect((await server.call('GET', '/tokens', { token })).status).toBe(200);
    await server.store.transaction(async ({ db, announce }) => {
      await db.user.update({ where: { id: person.id }, data: { role: 'member' } });
      announce({ kind: 'member', id: person.id });
    });
    const invited = { email: 'new@example.com', name: 'New', role: 'member' };
    expect((await server.call('POST', '/members', { token, body: invited })).status).toBe(403);
  });

  it('is refused at the gateway', async () => {
    const token = await tokenOf(browser);
    const id = '0190d3a0-0000-7000-8000-000000000000';
    const response = await fetch(`${server.origin}/mcp/${id}/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(response.status).toBe(401);
  });

  it('cannot be changed, and dies with its time', async () => {
    const token = await tokenOf(browser);
    const [session = '', expiry = '', ...rest] = token.split('.');
    const later = [session, String(Number(expiry) + 60_000), ...rest].join('.');
    const other = [session.replace(/.$/, (end) => (end === '0' ? '1' : '0')), expiry, ...rest];
    for (const forged of [
      later,
      other.join('.'),
      `${token}x`,
      token.slice(0, -1),
      'gh_con_',
      'gh_con_..',
    ])
      expect(await statusOf(forged), forged).toBe(401);
    expect(await statusOf(token)).toBe(200);
  });

  it.each([
    ['signing out of the console', () => ask(browser, { path: '/console/sign-out' })],
    ['signing out', () => browser.submit('/account', {}, { action: '/sign-out' })],
    [
      'signing out everywhere from another browser',
      async () =>
        (await signedInBrowser(server, person)).submit(
          '/account',
          { everywhere: '1' },
          { action: '/sign-out' },
        ),
    ],
    [
      'signing in again',
      async () => browser.submit(await linkFor(server.store, person, 'sign_in')),
    ],
    ['the loss of all access', () => server.call('POST', `/members/${person.id}/revoke-access`)],
    ['the removal of the member', () => server.call('DELETE', `/members/${person.id}`)],
  ])('ends with %s', async (_what, end) => {
    const token = await tokenOf(browser);
    expect(await statusOf(token)).toBe(200);
    await end();
    expect(await statusOf(token)).toBe(401);
  });

  it('ends with a new password', async () => {
    await givePassword(server.store, person.id);
    const token = await tokenOf(browser);
    const next = { present: 'seven grey herons at noon', password: 'nine red kites at dusk' };
    await browser.submit(
      '/account',
      { ...next, repeated: next.password },
      { action: '/account/password' },
    );
    expect(await statusOf(token)).toBe(401);
  });
});
