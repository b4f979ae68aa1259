import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAttempts } from '../../../src/sign-in/external/attempts.ts';
import { type Answer, Browser, givePassword, linkFor, PASSWORD } from '../../support/browser.ts';
import { startTestServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { type Account, startTestProvider } from './openid-provider.ts';
import { visitProvider as visit } from './visit-provider.ts';

const provider = use(() => startTestProvider());
const server = use(() => startTestServer({ externalSignIn: provider.settings }));
const db = () => server.store.db;
const CALLBACK = '/sign-in/external/callback';

let people = 0;
let sub: string;
let email: string;

beforeAll(() => provider.open(`${server.origin}${CALLBACK}`));
beforeEach(() => {
  people += 1;
  sub = `sub-${people}`;
  email = `person-${people}@example.org`;
  provider.state.isOut = false;
});

const visitProvider = (location: string, account?: string): Promise<URL> =>
  visit(provider, server, location, account);

const begin = async (browser: Browser, returnTo = '/account'): Promise<string> => {
  const { status, headers } = await browser.open(`/sign-in/external?return_to=${returnTo}`);
  expect(status).toBe(303);
  return headers.get('location') ?? '';
};

const comeBack = (browser: Browser, url: URL): Promise<Answer> =>
  browser.open(url.pathname + url.search);

async function signIn(
  claims: Account = { email, email_verified: true },
  browser = new Browser(server),
): Promise<Answer> {
  provider.accounts.set(sub, claims);
  return comeBack(browser, await visitProvider(await begin(browser), sub));
}

const userBy = (address: string) => db().user.findFirst({ where: { email: address } });

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.open('/account')).status === 200;

async function expectRefused(answer: Answer, title: string, status = 403): Promise<void> {
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null]);
  expect(answer.text).toContain(`<h1>${title}</h1>`);
}

describe('sign-in at an OpenID provider', () => {
  it('makes a member at the first sign-in, and finds them by subject from then on', async () => {
    const browser = new Browser(server);
    const first = await signIn({ email, email_verified: true, name: 'Ada' }, browser);
    expect([first.status, first.headers.get('location')]).toEqual([303, '/account']);
    expect(await isSignedIn(browser)).toBe(true);
    const user = await userBy(email);
    expect(user).toMatchObject({ name: 'Ada', role: 'member', passwordHash: null });

    const second = await signIn({ email: `other-${email}`, email_verified: false });
    expect(second.status).toBe(303);
    expect(await db().externalIdentity.findMany({ where: { subject: sub } })).toMatchObject([
      { issuer: provider.settings.issuer, userId: user?.id },
    ]);
    expect(await userBy(`other-${email}`)).toBeNull();
  });

  it('sends code challenge, state and nonce, and no secret', async () => {
    const url = new URL(await begin(new Browser(server)));
    const parameters = Object.fromEntries(url.searchParams);
    expect(parameters).toMatchObject({
      client_id: 'gatehouse',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${server.origin}${CALLBACK}`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(url.href).not.toContain(provider.settings.clientSecret);
  });

  it('goes on where the sign-in began, and never elsewhere', async () => {
    provider.accounts.set(sub, { email, email_verified: true });
    const goOn = async (returnTo: string) => {
      const browser = new Browser(server);
      const url = await visitProvider(await begin(browser, encodeURIComponent(returnTo)), sub);
      return comeBack(browser, url);
    };
    expect((await goOn('/oauth/consent/x')).text).toContain('url=/oauth/consent/x"');
    for (const elsewhere of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      expect((await goOn(elsewhere)).headers.get('location')).toBe('/console');
    }
  });

  it('finds an invited member by a verified email, whatever its spelling', async () => {
    const { id } = await server.addMember('admin');
    const member = await db().user.update({ where: { id }, data: { email } });
    expect((await signIn({ email: email.toUpperCase(), email_verified: true })).status).toBe(303);
    expect(await db().externalIdentity.findFirst({ where: { subject: sub } })).toMatchObject({
      userId: member.id,
    });
    expect((await userBy(email))?.role).toBe('admin');
  });

  it('makes one member of two browsers that come back at once', async () => {
    provider.accounts.set(sub, { email, email_verified: true });
    const browsers = [1, 2, 3, 4].map(() => new Browser(server));
    const urls: URL[] = [];
    for (const browser of browsers) urls.push(await visitProvider(await begin(browser), sub));
    const answers = await Promise.all(
      browsers.map((browser, i) => comeBack(browser, urls[i] ?? new URL('http://x'))),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(await db().user.count({ where: { email } })).toBe(1);
  });

  it('works in two windows of one browser', async () => {
    provider.accounts.set(sub, { email, email_verified: true });
    const browser = new Browser(server);
    const [one, two] = [await begin(browser), await begin(browser)];
    expect((await comeBack(browser, await visitProvider(one, sub))).status).toBe(303);
    expect((await comeBack(browser, await visitProvider(two, sub))).status).toBe(303);
  });
});

describe('access by the provider', () => {
  it('is refused without a verified email', async () => {
    await expectRefused(
      await signIn({ email, email_verified: false }),
      'Your email is not verified',
    );
    await expectRefused(await signIn({ email }), 'Your email is not verified');
    await expectRefused(await signIn({ email_verified: true }), 'Your email is not known');
    expect(await userBy(email)).toBeNull();
  });

  it('is refused to an email of a domain that is not allowed', async () => {
    for (const address of [`a${people}@example.com`, `a${people}@x.example.org`]) {
      await expectRefused(
        await signIn({ email: address, email_verified: true }),
        'You are not a member yet',
      );
      expect(await userBy(address)).toBeNull();
    }
  });

  it('is refused to an email that another member has signed in with', async () => {
    await signIn();
    const victim = await userBy(email);
    sub = `${sub}-thief`;
    await expectRefused(await signIn(), 'Your email belongs to someone else here');
    expect(await db().externalIdentity.count({ where: { userId: victim?.id ?? '' } })).toBe(1);
  });

  it('stays that of the same member after a change of email at the provider', async () => {
    const { id } = await server.addMember('admin');
    const admin = await db().user.findUniqueOrThrow({ where: { id } });
    const browser = new Browser(server);
    await signIn();
    await signIn({ email: admin.email, email_verified: true }, browser);
    expect((await browser.open('/account')).text).toContain(`<dd>${email}</dd>`);
  });

  it('is refused to a removed member, until they are invited again', async () => {
    await signIn();
    const { id } = (await userBy(email)) ?? { id: '' };
    expect((await server.call('DELETE', `/members/${id}`)).status).toBeLessThan(300);
    await expectRefused(await signIn(), 'You are no longer a member');
    // With another email of an allowed domain, and as another subject with the same email.
    const other = { email: `new-${email}`, email_verified: true };
    await expectRefused(await signIn(other), 'You are no longer a member');
    sub = `${sub}-again`;
    await expectRefused(await signIn(), 'You are no longer a member');
    expect(await userBy(email)).toBeNull();

    const body = { email, name: 'Back', role: 'member' };
    expect((await server.call('POST', '/members', { body })).status).toBe(201);
    sub = sub.replace('-again', '');
    expect((await signIn()).status).toBe(303);
    const { id: newId } = (await userBy(email)) ?? { id: '' };
    expect(await db().externalIdentity.findMany({ where: { subject: sub } })).toMatchObject([
      { userId: newId },
    ]);
  });

  it('is refused to a removed member who never signed in at the provider', async () => {
    const { id } = await server.addMember('member');
    await db().user.update({ where: { id }, data: { email } });
    await server.call('DELETE', `/members/${id}`);
    await expectRefused(await signIn(), 'You are no longer a member');
  });
});

describe('the response of the provider', () => {
  it('is taken after an upgrade', async () => {
    const state = 's'.repeat(43);
    await db().oauthState.create({
      data: {
        id: 'external 1kuTyfG2DrM45ctBXWo2vZIO3Q6bNvfqXHMNDhD_FH8',
        payload: { browser: '8BtXImJhrjdWuTk24cTmuEn5pbCTP6O5GEO_QZW52WQ', returnTo: '/account' },
        createdAt: new Date(),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    const cookie = `gatehouse-external=${'b'.repeat(43)}`;
    expect(await createAttempts(db(), server.origin).take(cookie, state)).toMatchObject({
      returnTo: '/account',
      nonce: 'ZZYrdhjQsSmrpzBRxKt1gONQ-JWEtoUDftpIgr9GDrI',
      codeVerifier: 'bUciLHGtPbnhe0V9D2QGgKOJCEPt4lrGtZM9khrvKtk',
    });
  });

  it('is taken once', async () => {
    const browser = new Browser(server);
    provider.accounts.set(sub, { email, email_verified: true });
    const url = await visitProvider(await begin(browser), sub);
    expect((await comeBack(browser, url)).status).toBe(303);
    await expectRefused(await comeBack(browser, url), 'That sign-in is over', 400);
  });

  it('is taken only in the browser in which it began, and others do not use it up', async () => {
    const [browser, other] = [new Browser(server), new Browser(server)];
    provider.accounts.set(sub, { email, email_verified: true });
    const url = await visitProvider(await begin(browser), sub);
    await begin(other);
    await expectRefused(await comeBack(other, url), 'That sign-in is over', 400);
    await expectRefused(await comeBack(new Browser(server), url), 'That sign-in is over', 400);
    expect((await comeBack(browser, url)).status).toBe(303);
  });

  it('needs the state that was sent', async () => {
    const browser = new Browser(server);
    const url = await visitProvider(await begin(browser), undefined);
    for (const state of ['', 'x'.repeat(43), undefined]) {
      const forged = new URL(url);
      if (state === undefined) forged.searchParams.delete('state');
      else forged.searchParams.set('state', state);
      await expectRefused(await comeBack(browser, forged), 'That sign-in is over', 400);
    }
  });

  it('must name the provider it comes from (RFC 9207)', async () => {
    for (const iss of ['https://other.example', undefined]) {
      const browser = new Browser(server);
      provider.accounts.set(sub, { email, email_verified: true });
      const url = await visitProvider(await begin(browser), sub);
      expect(url.searchParams.get('iss')).toBe(provider.settings.issuer);
      if (iss === undefined) url.searchParams.delete('iss');
      else url.searchParams.set('iss', iss);
      await expectRefused(await comeBack(browser, url), 'We could not verify that sign-in', 400);
    }
    expect(await userBy(email)).toBeNull();
  });

  it('with the code of another attempt is refused', async () => {
    const [victim, thief] = [new Browser(server), new Browser(server)];
    provider.accounts.set(sub, { email, email_verified: true });
    const stolen = await visitProvider(await begin(victim), sub);
    const url = await visitProvider(await begin(thief), sub);
    url.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    await expectRefused(await comeBack(thief, url), 'We could not verify that sign-in', 400);
    expect(await isSignedIn(thief)).toBe(false);
  });

  it('that is an error is shown to the person, without its text', async () => {
    const browser = new Browser(server);
    const url = await visitProvider(await begin(browser), undefined);
    expect(url.searchParams.get('error')).toBe('access_denied');
    url.searchParams.set('error_description', 'call this number');
    const answer = await comeBack(browser, url);
    await expectRefused(answer, 'You were not signed in');
    expect(answer.text).not.toContain('call this number');
  });

  it('while the provider is out of order leads to a page that says so', async () => {
    const browser = new Browser(server);
    provider.accounts.set(sub, { email, email_verified: true });
    const url = await visitProvider(await begin(browser), sub);
    provider.state.isOut = true;
    await expectRefused(await comeBack(browser, url), 'Not available at the moment', 503);
  });

  it('replaces the session that the browser brought', async () => {
    const browser = new Browser(server);
    await signIn(undefined, browser);
    const before = browser.cookies.get('gatehouse');
    await signIn(undefined, browser);
    const after = browser.cookies.get('gatehouse');
    expect([before, after].includes(undefined) || before === after).toBe(false);
    browser.cookies.set('gatehouse', before ?? '');
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe('the sign-in page', () => {
  it('offers the provider beside the password, and keeps where to go on', async () => {
    const { text } = await new Browser(server).open('/sign-in?return_to=/oauth/consent/x');
    expect(text).toContain('href="/sign-in/external?return_to=%2Foauth%2Fconsent%2Fx"');
    expect(text).toContain('type="password"');
  });

  it('answers other methods with 405', async () => {
    const { status } = await new Browser(server).post('/sign-in/external', {});
    expect(status).toBe(405);
  });
});

describe('without a provider', () => {
  const plain = use(() => startTestServer());

  it('there is nothing at its paths', async () => {
    expect((await new Browser(plain).open('/sign-in/external')).status).toBe(404);
    expect((await new Browser(plain).open('/sign-in')).text).not.toContain('/sign-in/external');
  });
});

describe('with a provider that is out of order from the start', () => {
  const broken = use(() => startTestProvider());
  const beside = use(() => startTestServer({ externalSignIn: broken.settings }));

  it('says so, and works once the provider does', async () => {
    const { status, text } = await new Browser(beside).open('/sign-in/external');
    expect([status, text.includes('Not available at the moment')]).toEqual([503, true]);
    broken.open(`${beside.origin}${CALLBACK}`);
    expect((await new Browser(beside).open('/sign-in/external')).status).toBe(303);
  });
});

describe('with an issuer that the egress policy denies', () => {
  const denied = use(() =>
    startTestServer({ externalSignIn: provider.settings, allowedNetworks: [] }),
  );

  it('nothing is sent', async () => {
    expect((await new Browser(denied).open('/sign-in/external')).status).toBe(503);
  });
});

describe('with the password off', () => {
  const strict = use(() =>
    startTestServer({ externalSignIn: provider.settings, passwordSignIn: false }),
  );

  it('the form is not shown, and refused', async () => {
    const { email: owner } = await givePassword(strict.store);
    const browser = new Browser(strict);
    const { text } = await browser.open('/sign-in');
    expect([text.includes('type="password"'), text.includes('/sign-in/external')]).toEqual([
      false,
      true,
    ]);
    // The token of one form is good for another.
    const link = await linkFor(strict.store, await givePassword(strict.store), 'sign_in');
    const page = await browser.open(link);
    const token = /name="form_token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const refused = await browser.post('/sign-in', {
      form_token: token,
      email: owner,
      password: PASSWORD,
    });
    expect([refused.status, await isSignedIn(browser)]).toEqual([403, false]);
    expect(refused.text).toContain('Passwords are not used here');
  });

  it('invitations lead to the provider and stay, and links of the command sign in', async () => {
    const owner = await givePassword(strict.store);
    for (const purpose of ['invitation', 'reset'] as const) {
      const path = await linkFor(strict.store, owner, purpose);
      const { text } = await new Browser(strict).open(path);
      expect([text.includes('type="password"'), text.includes('href="/sign-in"')]).toEqual([
        false,
        true,
      ]);
    }
    expect(await strict.store.db.signInLink.count({ where: { userId: owner.id } })).toBe(3);
    const browser = new Browser(strict);
    await browser.submit(await linkFor(strict.store, owner, 'sign_in'));
    const account = await browser.open('/account');
    expect([account.status, account.text.includes('/account/password')]).toEqual([200, false]);
    const change = { password: 'nine red kites at dusk', repeated: 'nine red kites at dusk' };
    const answer = await browser.submit('/account', change, { action: '/account/password' });
    expect(answer.status).toBe(403);
  });
});
