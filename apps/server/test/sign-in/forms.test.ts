import { beforeAll, describe, expect, it } from 'vitest';
import {
  Browser,
  givePassword,
  hiddenFieldsOf,
  PASSWORD,
  signedInBrowser,
  type TestPerson,
} from '../support/browser.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let owner: TestPerson;
beforeAll(async () => {
  owner = await givePassword(server.store);
});
const right = () => ({ email: owner.email, password: PASSWORD });

describe('the form of a person who is not signed in', () => {
  it('is refused without its token', async () => {
    const browser = new Browser(server);
    await browser.open('/sign-in');
    const { status, text } = await browser.post('/sign-in', right());
    expect([status, text.includes('Load it again')]).toEqual([403, true]);
    expect(browser.cookies.has('gatehouse')).toBe(false);
  });

  it('is refused with the token of another browser, which others could have put there', async () => {
    const attacker = await new Browser(server).open('/sign-in');
    const victim = new Browser(server);
    await victim.open('/sign-in');
    const fields = { ...hiddenFieldsOf(attacker.text), ...right() };
    expect((await victim.post('/sign-in', fields)).status).toBe(403);
    const without = new Browser(server);
    expect((await without.post('/sign-in', fields)).status).toBe(403);
  });

  it.each([
    ['another origin', 'https://evil.example'],
    ['the opaque origin', 'null'],
    ['no origin', null],
  ])('is refused from %s', async (_name, origin) => {
    const browser = new Browser(server);
    const { status, headers, text } = await browser.submit('/sign-in', right(), { origin });
    expect(status).toBe(403);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain(server.origin);
    expect(browser.cookies.has('gatehouse')).toBe(false);
  });

  it('is taken from a page at another name of this machine', async () => {
    const here = { origin: server.origin.replace('127.0.0.1', 'localhost') };
    expect(here.origin).not.toBe(server.origin);
    expect((await new Browser(here).submit('/sign-in', right())).status).toBe(303);
  });

  it('is taken without an origin when the browser says that it is the same', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const { status } = await new Browser(server).submit('/sign-in', right(), {
      origin: null,
      headers,
    });
    expect(status).toBe(303);
  });

  it.each([
    [415, { 'content-type': 'application/json' }, 'x'],
    [415, { 'content-type': 'text/plain' }, 'form_token=x'],
    [413, { 'content-type': 'application/x-www-form-urlencoded' }, 'x'.repeat(65 * 1024)],
    [400, { 'content-type': 'application/x-www-form-urlencoded' }, 'email=a&email=b'],
  ])('is refused with %i as %j', async (status, type, body) => {
    const headers = { ...type, origin: server.origin };
    const answer = await new Browser(server).send('POST', '/sign-in', { headers, body });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain('<main');
  });
});

describe('the form of a person who is signed in', () => {
  it('is refused with the token of another sign-in, and without any', async () => {
    const [mine, other] = [
      await signedInBrowser(server, owner),
      await signedInBrowser(server, owner),
    ];
    const fields = hiddenFieldsOf((await other.open('/account')).text);
    expect((await mine.post('/sign-out', fields)).status).toBe(403);
    expect((await mine.post('/sign-out', {})).status).toBe(403);
    expect((await mine.open('/account')).status).toBe(200);
    expect((await mine.submit('/account', {}, { action: '/sign-out' })).status).toBe(200);
  });

  it('is refused from another origin', async () => {
    const browser = await signedInBrowser(server, owner);
    const options = { action: '/sign-out', origin: 'https://evil.example' };
    expect((await browser.submit('/account', {}, options)).status).toBe(403);
    expect((await browser.open('/account')).status).toBe(200);
  });
});
