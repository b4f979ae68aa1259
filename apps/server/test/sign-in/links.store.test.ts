import { beforeEach, describe, expect, it } from 'vitest';
import { findSignInLink } from '../../src/identity/sign-in-links.ts';
import {
  Browser,
  hiddenFieldsOf,
  linkFor,
  PASSWORD,
  signedInBrowser,
  type TestPerson,
} from '../support/browser.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
const db = () => server.store.db;
const choice = { password: PASSWORD, repeated: PASSWORD };
let person: TestPerson;
beforeEach(async () => {
  const { id } = await server.addMember('member');
  person = await db().user.findUniqueOrThrow({ where: { id } });
});

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.open('/account')).status === 200;

describe.each(['invitation', 'reset'] as const)('a link of purpose %s', (purpose) => {
  it('lets its person choose a password once, and signs them in', async () => {
    const path = await linkFor(server.store, person, purpose);
    const browser = new Browser(server);
    const page = await browser.open(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(person.email);
    expect(page.text).toMatch(/<input id="password"[^>]* autofocus/);
    const { status, headers } = await browser.submit(path, choice);
    expect([status, headers.get('location')]).toEqual([303, '/console']);
    expect((await browser.open('/account')).text).toContain(person.email);
    expect((await new Browser(server).signIn(person.email, PASSWORD)).status).toBe(303);
    expect((await browser.open(path)).status).toBe(404);
  });

  it('is not used up by a password that is refused', async () => {
    const path = await linkFor(server.store, person, purpose);
    const browser = new Browser(server);
    const attempts = [
      { password: 'Tiny-0ne', repeated: 'Tiny-0ne' },
      { password: '123456789qwerty', repeated: '123456789qwerty' },
      { password: 'Ünïcödé is fine', repeated: 'but not another' },
      { password: 'ha'.repeat(150), repeated: 'ha'.repeat(150) },
    ];
    for (const attempt of attempts) {
      const { status, text } = await browser.submit(path, attempt);
      expect([attempt.password, status]).toEqual([attempt.password, 400]);
      expect(text).toContain('aria-invalid="true"');
      expect(text).not.toContain(attempt.password);
      expect(text.match(/autofocus/g)).toHaveLength(1);
    }
    expect((await browser.submit(path, choice)).status).toBe(303);
  });
});

describe('looking at a link', () => {
  it('uses nothing up and replaces no session', async () => {
    const other = await server.addMember('member');
    const { organizationId } = person;
    const browser = await signedInBrowser(server, { id: other.id, organizationId });
    const path = await linkFor(server.store, person, 'sign_in');
    const before = browser.cookies.get('gatehouse');
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await browser.send(method, path);
      expect(answer.status).toBe(200);
    }
    expect(browser.cookies.get('gatehouse')).toBe(before);
    expect((await browser.open(path)).text).toContain('will be signed out');
    expect((await browser.open('/account')).text).not.toContain(person.email);
    await browser.submit(path);
    expect((await browser.open('/account')).text).toContain(person.email);
  });

  it('needs a form of the same browser to use it', async () => {
    const path = await linkFor(server.store, person, 'sign_in');
    const foreign = hiddenFieldsOf((await new Browser(server).open(path)).text);
    const browser = new Browser(server);
    await browser.open(path);
    expect((await browser.post(path, foreign)).status).toBe(403);
    expect((await browser.open(path)).status).toBe(200);
  });
});

describe('a link that does not work', () => {
  it('says how to get a new one, whether unknown, expired or malformed', async () => {
    const path = await linkFor(server.store, person, 'reset');
    await db().signInLink.updateMany({ data: { expiresAt: new Date(Date.now() - 1_000) } });
    const unknown = `/sign-in/link/${'A'.repeat(43)}`;
    for (const at of [path, unknown, '/sign-in/link/short', '/sign-in/link/%zz']) {
      const { status, text } = await new Browser(server).open(at);
      expect([at, status]).toEqual([at, 404]);
      expect(text).toContain('Ask an admin');
    }
  });

  it('was replaced by a new one of the same purpose', async () => {
    const first = await linkFor(server.store, person, 'reset');
    const second = await linkFor(server.store, person, 'reset');
    expect((await new Browser(server).open(first)).status).toBe(404);
    expect((await new Browser(server).open(second)).status).toBe(200);
  });

  it('expires after a time set by its purpose', async () => {
    const made = Date.now();
    for (const purpose of ['invitation', 'reset', 'sign_in'] as const) {
      await linkFor(server.store, person, purpose);
    }
    const rows = await db().signInLink.findMany({ where: { userId: person.id } });
    const hours = rows.map(({ purpose, expiresAt }) => [
      purpose,
      Math.round(((expiresAt.getTime() - made) / 3_600_000) * 4) / 4,
    ]);
    expect(Object.fromEntries(hours)).toEqual({ invitation: 168, reset: 1, sign_in: 0.25 });
  });

  it('was made for a member who has been promoted since', async () => {
    const path = await linkFor(server.store, person, 'reset');
    await server.call('PATCH', `/members/${person.id}`, { body: { name: 'Renamed' } });
    expect((await new Browser(server).open(path)).status).toBe(200);
    await server.call('PATCH', `/members/${person.id}`, { body: { role: 'owner' } });
    expect((await new Browser(server).open(path)).status).toBe(404);
  });

  it('was made for a member who has been removed since', async () => {
    const path = await linkFor(server.store, person, 'invitation');
    await server.call('DELETE', `/members/${person.id}`);
    expect((await new Browser(server).open(path)).status).toBe(404);
    expect(await findSignInLink(db(), path.slice(14))).toBeUndefined();
  });
});

it.each(['sign_in', 'reset'] as const)(
  'one of twenty uses of a link of purpose %s at once succeeds',
  async (purpose) => {
    const path = await linkFor(server.store, person, purpose);
    const browsers = Array.from({ length: 20 }, () => new Browser(server));
    const forms = await Promise.all(
      browsers.map(async (browser) => hiddenFieldsOf((await browser.open(path)).text)),
    );
    const answers = await Promise.all(
      browsers.map((browser, i) => browser.post(path, { ...choice, ...forms[i] })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([303, ...Array(19).fill(404)]);
    const signedIn = await Promise.all(browsers.map(isSignedIn));
    expect(signedIn.filter(Boolean)).toHaveLength(1);
  },
);

it('a new password ends the other sessions of its person, and their other links', async () => {
  const elsewhere = await signedInBrowser(server, person);
  const invitation = await linkFor(server.store, person, 'invitation');
  const path = await linkFor(server.store, person, 'reset');
  const browser = new Browser(server);
  await browser.submit(path, choice);
  expect(await isSignedIn(browser)).toBe(true);
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect((await browser.open(invitation)).status).toBe(404);
});
