import { beforeEach, describe, expect, it } from 'vitest';
import {
  Browser,
  givePassword,
  PASSWORD,
  signedInBrowser,
  type TestPerson,
} from '../support/browser.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
const db = () => server.store.db;
const NEXT = 'nine red kites at dusk';
let person: TestPerson;
beforeEach(async () => {
  const { id } = await server.addMember('admin');
  person = await db().user.findUniqueOrThrow({ where: { id } });
});

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.open('/account')).status === 200;

describe('the account page', () => {
  it('sends a person who is not signed in to sign in', async () => {
    const { status, headers } = await new Browser(server).open('/account');
    expect([status, headers.get('location')]).toEqual([303, '/sign-in?return_to=%2Faccount']);
  });

  it('says who is signed in', async () => {
    const { text } = await (await signedInBrowser(server, person)).open('/account');
    expect(text).toContain(`<dd>${person.name}</dd>`);
    expect(text).toContain(`<dd>${person.email}</dd>`);
    expect(text).toContain('<dd>Admin</dd>');
  });

  it('shows a name as text', async () => {
    await db().user.update({
      where: { id: person.id },
      data: { name: '<script>alert(1)</script>"' },
    });
    const { text } = await (await signedInBrowser(server, person)).open('/account');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;');
  });
});

describe('signing out', () => {
  it('ends the session here, and no other', async () => {
    const [here, elsewhere] = [
      await signedInBrowser(server, person),
      await signedInBrowser(server, person),
    ];
    const value = here.cookies.get('gatehouse') ?? '';
    const { headers } = await here.submit('/account', {}, { action: '/sign-out' });
    expect(headers.getSetCookie()).toEqual([
      'gatehouse=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
    here.cookies.set('gatehouse', value);
    expect(await isSignedIn(here)).toBe(false);
    expect(await isSignedIn(elsewhere)).toBe(true);
  });

  it('everywhere ends every session of the person, and of no one else', async () => {
    const other = await server.addMember('member');
    const { organizationId } = person;
    const [here, elsewhere, foreign] = [
      await signedInBrowser(server, person),
      await signedInBrowser(server, person),
      await signedInBrowser(server, { id: other.id, organizationId }),
    ];
    await here.submit('/account', { everywhere: '1' }, { action: '/sign-out' });
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([false, false]);
    expect(await isSignedIn(foreign)).toBe(true);
  });

  it('succeeds for a person who is not signed in', async () => {
    const { status, text } = await new Browser(server).post('/sign-out', {});
    expect([status, text.includes('You are signed out')]).toEqual([200, true]);
  });
});

describe('changing the password', () => {
  const change = { action: '/account/password' };
  const next = { password: NEXT, repeated: NEXT };

  it('needs the current one', async () => {
    await givePassword(server.store, person.id);
    const browser = await signedInBrowser(server, person);
    for (const present of ['', 'not the present one']) {
      const { status, text } = await browser.submit('/account', { ...next, present }, change);
      expect(status).toBe(400);
      expect(text).toContain('not your current password');
    }
    expect((await new Browser(server).signIn(person.email, PASSWORD)).status).toBe(303);
  });

  it('replaces it, ends the other sessions, and gives this one a new cookie', async () => {
    await givePassword(server.store, person.id);
    const [browser, elsewhere] = [
      await signedInBrowser(server, person),
      await signedInBrowser(server, person),
    ];
    const before = browser.cookies.get('gatehouse');
    const { status } = await browser.submit('/account', { ...next, present: PASSWORD }, change);
    expect(status).toBe(303);
    expect(browser.cookies.get('gatehouse')).not.toBe(before);
    expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect((await new Browser(server).signIn(person.email, PASSWORD)).status).toBe(403);
    expect((await new Browser(server).signIn(person.email, NEXT)).status).toBe(303);
  });

  it('does not ask for a current one if the person has no password yet', async () => {
    const browser = await signedInBrowser(server, person);
    expect((await browser.open('/account')).text).not.toContain('Current password');
    expect((await browser.submit('/account', next, change)).status).toBe(303);
    expect((await new Browser(server).signIn(person.email, NEXT)).status).toBe(303);
  });
});
