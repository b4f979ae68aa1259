import { beforeAll, describe, expect, it } from 'vitest';
import { Browser, linkFor, signedInBrowser, type TestPerson } from '../support/browser.ts';
import { guarded, requestOf } from '../support/operations.ts';
import { useServer } from '../support/server.ts';

describe('the management API and the gateway', () => {
  const server = useServer();
  let browser: Browser;
  beforeAll(async () => {
    const owner = await server.store.db.user.findFirstOrThrow({ where: { role: 'owner' } });
    browser = await signedInBrowser(server, owner);
    expect((await browser.open('/account')).status).toBe(200);
  });

  it.each(guarded.map(({ operation }) => operation))('%s reads no cookie', async (operation) => {
    const { method, path } = requestOf(operation);
    const at = `/api/v1${path.replaceAll(/\/(?=\/|$)/g, `/${crypto.randomUUID()}`)}`;
    expect((await browser.send(method, at)).status).toBe(401);
  });

  it.each(['POST', 'GET', 'DELETE'])('a call by %s reads no cookie', async (method) => {
    const path = `/mcp/${crypto.randomUUID()}/${crypto.randomUUID()}`;
    expect((await browser.send(method, path)).status).toBe(401);
  });

  it('the metrics read no cookie', async () => {
    expect((await browser.open('/metrics')).status).toBe(401);
  });
});

describe('at an https URL', () => {
  const publicUrl = 'https://gatehouse.example.com';
  const server = useServer({ publicUrl });
  let owner: TestPerson;
  beforeAll(async () => {
    owner = await server.store.db.user.findFirstOrThrow({ where: { role: 'owner' } });
  });

  it('every cookie belongs to this host and to https alone', async () => {
    const browser = new Browser(server);
    const path = await linkFor(server.store, owner, 'sign_in');
    const page = await browser.open(path);
    const entered = await browser.submit(path, {}, { origin: publicUrl });
    const lines = [...page.headers.getSetCookie(), ...entered.headers.getSetCookie()];
    expect(lines.map((line) => line.split('=')[0])).toEqual([
      '__Host-gatehouse-visit',
      '__Host-gatehouse',
      '__Host-gatehouse-known',
    ]);
    for (const line of lines) expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  });

  it('the name that plain http uses is not accepted', async () => {
    const browser = await signInWith(publicUrl);
    const value = browser.cookies.get('__Host-gatehouse') ?? '';
    expect((await browser.open('/account')).status).toBe(200);
    browser.cookies.delete('__Host-gatehouse');
    browser.cookies.set('gatehouse', value);
    expect((await browser.open('/account')).status).toBe(303);
  });

  it('a cookie that was sent twice is not guessed at', async () => {
    const browser = await signInWith(publicUrl);
    const value = browser.cookies.get('__Host-gatehouse') ?? '';
    const cookie = `__Host-gatehouse=${value}; __Host-gatehouse=${value}`;
    const { status } = await new Browser(server).send('GET', '/account', { headers: { cookie } });
    expect(status).toBe(303);
  });

  async function signInWith(origin: string): Promise<Browser> {
    const browser = new Browser(server);
    await browser.submit(await linkFor(server.store, owner, 'sign_in'), {}, { origin });
    return browser;
  }
});
