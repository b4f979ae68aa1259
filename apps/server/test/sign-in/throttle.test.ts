import { describe, expect, it, onTestFinished } from 'vitest';
import { addressBlockOf } from '../../src/http/client-address.ts';
import { AttemptDelays, createThrottle } from '../../src/sign-in/throttle.ts';
import {
  type Answer,
  Browser,
  givePassword,
  hiddenFieldsOf,
  linkFor,
  PASSWORD,
} from '../support/browser.ts';
import { useStoppedClock } from '../support/clock.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Guesses from as many addresses. */
async function guessAtOnce(server: TestServer, email: string, times: number): Promise<Answer[]> {
  const browsers = Array.from({ length: times }, () => new Browser(server));
  const forms = await Promise.all(
    browsers.map(async (browser) => hiddenFieldsOf((await browser.open('/sign-in')).text)),
  );
  const guess = (browser: Browser, i: number) => {
    const headers = { 'x-forwarded-for': `192.0.2.${i}` };
    const fields = { ...forms[i], email, password: `wrong password ${i}` };
    return browser.post('/sign-in', fields, { headers });
  };
  return Promise.all(browsers.map(guess));
}

describe('guessing at the sign-in page', () => {
  it('is slowed down for a person, who can still sign in with a browser of theirs or a link', async () => {
    const server = await startTestServer({ trustedProxies: ['127.0.0.1'] });
    onTestFinished(() => server.close());
    const owner = await givePassword(server.store);
    const own = new Browser(server);
    await own.signIn(owner.email, PASSWORD);

    const answers = await guessAtOnce(server, owner.email, 12);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(403), 429, 429]);
    for (const { headers } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    expect((await own.submit('/account', {}, { action: '/sign-out' })).status).toBe(200);
    expect((await own.signIn(owner.email, PASSWORD)).status).toBe(303);
    const link = await linkFor(server.store, owner, 'reset');
    expect((await new Browser(server).open(link)).status).toBe(200);
  });

  it('is slowed down for an address, whatever it guesses at', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.close());
    const browsers = Array.from({ length: 22 }, () => new Browser(server));
    const answers = await Promise.all(
      browsers.map((browser, i) => browser.signIn(`nobody-${i}@localhost`, 'x')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(403), 429, 429]);
  });
});

describe('the throttle', () => {
  const attempt = { address: '192.0.2.1', email: 'a@example.com', knownBrowser: undefined };

  it('does not count what succeeds', async () => {
    const throttle = createThrottle();
    for (let i = 0; i < 50; i += 1) {
      await throttle.begin(attempt);
      await throttle.succeed(attempt);
    }
    await expect(throttle.begin(attempt)).resolves.toBeDefined();
  });

  it('counts every spelling of an email as one', async () => {
    const throttle = createThrottle();
    for (let i = 0; i < 10; i += 1) await throttle.begin({ ...attempt, email: ' A@Example.com' });
    await expect(throttle.begin(attempt)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('keeps a browser that the person has used before apart from all others', async () => {
    const throttle = createThrottle();
    for (let i = 0; i < 10; i += 1) await throttle.begin(attempt);
    await throttle.begin({ ...attempt, knownBrowser: 'one' });
    await throttle.begin({ ...attempt, knownBrowser: 'two' });
    await expect(throttle.begin(attempt)).rejects.toMatchObject({ code: 'rate_limited' });
    for (let i = 0; i < 9; i += 1) await throttle.begin({ ...attempt, knownBrowser: 'one' });
    const more = throttle.begin({ ...attempt, knownBrowser: 'one' });
    await expect(more).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('counts before the password is compared, so that simultaneous attempts count', async () => {
    const throttle = createThrottle();
    const all = Array.from({ length: 30 }, () => throttle.begin(attempt));
    const settled = await Promise.allSettled(all);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::9', '2001:db8:1:2::'],
    ['', 'unknown'],
  ])('counts %s as %s', (address, block) => {
    expect(addressBlockOf(address)).toBe(block);
  });
});

describe('delays', () => {
  const clock = useStoppedClock();

  it('double from a second to a minute, and never lock anybody out', () => {
    const delays = new AttemptDelays();
    for (let i = 0; i < 9; i += 1) expect(delays.attempt('a')).toBe(0);
    const waits: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      expect(delays.attempt('a')).toBe(0);
      waits.push(delays.attempt('a'));
      expect(delays.attempt('b'.repeat(i + 1))).toBe(0);
      clock.pass(waits.at(-1) ?? 0);
    }
    expect(waits.map((wait) => Math.round(wait / 1000))).toEqual([
      1, 2, 4, 8, 16, 32, 60, 60, 60, 60,
    ]);
  });

  it('start over after the right password', () => {
    const delays = new AttemptDelays();
    for (let i = 0; i < 10; i += 1) delays.attempt('a');
    expect(delays.attempt('a')).toBeGreaterThan(0);
    delays.forget('a');
    expect(delays.attempt('a')).toBe(0);
  });
});
