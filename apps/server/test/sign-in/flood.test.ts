import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { QueueRanks } from '../../src/sign-in/queue-ranks.ts';
import {
  type Answer,
  Browser,
  givePassword,
  hiddenFieldsOf,
  PASSWORD,
} from '../support/browser.ts';
import { observeScrypt } from '../support/scrypt.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const ADDRESSES = 50;

/** Milliseconds of a comparison of a password: long beside all that a busy machine does between two. */
const LONG = 300;

/** Comparisons that may begin while a person signs in; in turn it would be one of each address. */
const FEW = ADDRESSES / 2;

async function start() {
  const server = await startTestServer({ trustedProxies: ['127.0.0.1'] });
  onTestFinished(() => server.close());
  return { server, person: await givePassword(server.store) };
}

/** Returns a function that tries a wrong password from an address. */
async function guesser(server: TestServer): Promise<(address: number) => Promise<Answer>> {
  const browser = new Browser(server);
  const fields = hiddenFieldsOf((await browser.open('/sign-in')).text);
  let tried = 0;
  return (address) => {
    tried += 1;
    const guess = { ...fields, email: `nobody-${tried}@localhost`, password: 'wrong' };
    return browser.post('/sign-in', guess, {
      headers: { 'x-forwarded-for': `198.18.${address}.1` },
    });
  };
}

/** Lets every address try wrong passwords all the time, until the test has finished. */
async function flood(server: TestServer, duration: number) {
  const guess = await guesser(server);
  const pace = { duration };
  const comparisons = observeScrypt(() => delay(pace.duration));
  let isOver = false;
  const flooding = Array.from({ length: ADDRESSES }, async (_, address) => {
    while (!isOver) await guess(address);
  });
  onTestFinished(async () => {
    isOver = true;
    pace.duration = 0;
    await Promise.all(flooding);
  });
  return { pace, comparisons };
}

/** Signs in, and counts the comparisons that began meanwhile. */
async function signInAmong(comparisons: readonly unknown[], browser: Browser, email: string) {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const fields = { ...hiddenFieldsOf((await browser.open('/sign-in')).text), email };
  const before = comparisons.length;
  const { status } = await browser.post('/sign-in', { ...fields, password: PASSWORD }, { headers });
  return { status, comparisons: comparisons.length - before };
}

describe('while 50 addresses try wrong passwords all the time', () => {
  it('a person signs in before those who have had their turn', async () => {
    const { server, person } = await start();
    const { pace, comparisons } = await flood(server, 0);
    await expect.poll(() => comparisons.length, { timeout: 30_000 }).toBeGreaterThan(ADDRESSES);
    pace.duration = LONG;
    await delay(3 * LONG);
    for (let i = 0; i < 3; i += 1) {
      const found = await signInAmong(comparisons, new Browser(server), person.email);
      expect(found.status).toBe(303);
      expect(found.comparisons).toBeLessThan(FEW);
    }
  });

  it('a browser of the person goes before everybody else, also when all addresses are new', async () => {
    const { server, person } = await start();
    const browser = new Browser(server);
    await browser.signIn(person.email, PASSWORD);
    browser.cookies.delete('gatehouse');
    const { comparisons } = await flood(server, LONG);
    await expect.poll(() => comparisons.length).toBeGreaterThan(2);
    const found = await signInAmong(comparisons, browser, person.email);
    expect(found.status).toBe(303);
    expect(found.comparisons).toBeLessThan(FEW);
  });
});

it('more than sixty who wait are refused at once, by a page that says so', async () => {
  const { server } = await start();
  const guess = await guesser(server);
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  observeScrypt(() => held);
  const answers: Answer[] = [];
  const guesses = Array.from({ length: 65 }, async (_, address) => {
    answers.push(await guess(address));
  });
  await expect.poll(() => answers.length).toBe(3);
  for (const { status, headers, text } of answers) {
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(text).toContain('Many people are signing in just now');
  }
  end();
  await Promise.all(guesses);
  expect(answers.slice(3).map(({ status }) => status)).toEqual(Array(62).fill(403));
  // What was not compared does not count.
  const again = await Promise.all(Array.from({ length: 20 }, () => guess(64)));
  expect(again.map(({ status }) => status)).toEqual(Array(20).fill(403));
});

describe('the rank of an attempt', () => {
  it('rises with what the address and its network have tried, and not with what was right', () => {
    const ranks = new QueueRanks();
    expect([1, 2, 3].map(() => ranks.take('192.0.2.1'))).toEqual([1, 3, 5]);
    expect(ranks.take('192.0.2.2')).toBe(4);
    expect(ranks.take('198.51.100.1')).toBe(1);
    for (let i = 0; i < 4; i += 1) ranks.giveBack('198.51.100.1');
    expect(ranks.take('198.51.100.1')).toBe(1);
  });

  it('counts an IPv6 network of 48 bits, of which one person may have all addresses', () => {
    const ranks = new QueueRanks();
    const taken = [1, 2, 3].map((network) => ranks.take(`2001:db8:1:${network}::1`));
    expect(taken).toEqual([1, 2, 3]);
    expect(ranks.take('2001:db8:2:1::1')).toBe(1);
  });
});
