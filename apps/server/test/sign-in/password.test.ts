import { beforeAll, describe, expect, it } from 'vitest';
import {
  Browser,
  givePassword,
  hiddenFieldsOf,
  PASSWORD,
  type TestPerson,
} from '../support/browser.ts';
import { observeScrypt } from '../support/scrypt.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let owner: TestPerson;
beforeAll(async () => {
  owner = await givePassword(server.store);
});

const sessions = () => server.store.db.browserSession.findMany({ orderBy: { id: 'asc' } });

describe('signing in', () => {
  it('begins a session with the right password, and goes to the account', async () => {
    const browser = new Browser(server);
    const { status, headers } = await browser.signIn(' OWNER@localhost ', PASSWORD);
    expect([status, headers.get('location')]).toEqual([303, '/console']);
    const account = await browser.open('/account');
    expect(account.status).toBe(200);
    expect(account.text).toContain(owner.email);
  });

  it('sets a cookie that scripts and other sites do not get', async () => {
    const { headers } = await new Browser(server).signIn(owner.email, PASSWORD);
    expect(headers.getSetCookie()[0]).toMatch(
      /^gatehouse=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('stores the cookie as a hash alone', async () => {
    const browser = new Browser(server);
    await browser.signIn(owner.email, PASSWORD);
    const value = browser.cookies.get('gatehouse') ?? '';
    const rows = JSON.stringify((await sessions()).map(({ hash }) => Buffer.from(hash).toString()));
    expect(rows).not.toContain(value);
    expect((await sessions()).at(-1)?.hash).toHaveLength(32);
  });

  it('answers a wrong password and an unknown email alike, after the same work', async () => {
    const costs = observeScrypt();
    const wrong = await new Browser(server).signIn(owner.email, 'wrong password, really');
    const unknown = await new Browser(server).signIn('owner@nowhere', 'wrong password, really');
    const body = (text: string, email: string) =>
      text.replace(/name="form_token" value="[^"]*"/, '').replace(email, '');
    expect(wrong.status).toBe(403);
    expect(unknown.status).toBe(wrong.status);
    expect(body(unknown.text, 'owner@nowhere')).toBe(body(wrong.text, owner.email));
    expect(costs).toHaveLength(2);
    expect(costs[0]).toEqual(costs[1]);
  });

  it('refuses a person who has no password yet', async () => {
    const { id } = await server.addMember('member');
    const { email } = await server.store.db.user.findUniqueOrThrow({ where: { id } });
    expect((await new Browser(server).signIn(email, '')).status).toBe(403);
  });

  it('goes on at once when the browser is signed in already', async () => {
    const browser = new Browser(server);
    await browser.signIn(owner.email, PASSWORD);
    const { status, headers } = await browser.open('/sign-in?return_to=/oauth/authorize?a=b');
    expect([status, headers.get('location')]).toEqual([303, '/oauth/authorize?a=b']);
  });
});

describe('session fixation', () => {
  it('is prevented: a cookie that was there before is not the one that is signed in', async () => {
    const browser = new Browser(server);
    const planted = 'A'.repeat(43);
    browser.cookies.set('gatehouse', planted);
    await browser.signIn(owner.email, PASSWORD);
    expect(browser.cookies.get('gatehouse')).not.toBe(planted);
    const attacker = new Browser(server);
    attacker.cookies.set('gatehouse', planted);
    expect((await attacker.open('/account')).status).toBe(303);
  });

  it('leaves no session behind: the one that the browser had before ends', async () => {
    const before = new Browser(server);
    await before.signIn(owner.email, PASSWORD);
    expect((await before.open('/account')).status).toBe(200);
    const browser = new Browser(server);
    const page = await browser.open('/sign-in');
    browser.cookies.set('gatehouse', before.cookies.get('gatehouse') ?? '');
    const fields = { ...hiddenFieldsOf(page.text), email: owner.email, password: PASSWORD };
    expect((await browser.post('/sign-in', fields)).status).toBe(303);
    expect((await before.open('/account')).status).toBe(303);
    expect((await browser.open('/account')).status).toBe(200);
  });
});

describe('the page after signing in', () => {
  const outside = ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil.example'];

  it.each([...outside, '', 'account', 'javascript:alert(1)', '/..//evil.example', '/%0d%0aX: y\n'])(
    'is the console instead of %j',
    async (returnTo) => {
      const browser = new Browser(server);
      const page = await browser.open(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
      expect(hiddenFieldsOf(page.text).return_to).toBe('/console');
    },
  );

  it('is the account also when the form was changed', async () => {
    const fields = { email: owner.email, password: PASSWORD, return_to: '//evil.example' };
    const { status, headers } = await new Browser(server).submit('/sign-in', fields);
    expect([status, headers.get('location')]).toEqual([303, '/console']);
  });

  it('is a path of ours, reached by a page, so that its response may redirect further', async () => {
    const path = '/oauth/authorize?client_id=a&state="<b>';
    const from = `/sign-in?return_to=${encodeURIComponent(path.replaceAll(/["<>]/g, ''))}`;
    const { status, text } = await new Browser(server).submit(from, {
      email: owner.email,
      password: PASSWORD,
    });
    expect(status).toBe(200);
    expect(text).toContain(
      '<meta http-equiv="refresh" content="0; url=/oauth/authorize?client_id=a&amp;state=b">',
    );
  });
});
