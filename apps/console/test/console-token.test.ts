import { describe, expect, it } from 'vitest';
import { noteActivity } from '../src/api/activity.ts';
import { createConsoleTokens, SignedOutError } from '../src/api/console-token.ts';
import { createOnePerson, OtherPersonError } from '../src/api/one-person.ts';

const TEN_MINUTES = 10 * 60_000;

function setUp() {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') };
  const sent: string[] = [];
  const page = new EventTarget();
  const answers: (() => Response)[] = [];
  const signedIn = { userId: 'ana' as string | undefined };
  const issue = () =>
    Response.json({
      ...signedIn,
      accessToken: `token-${sent.length}`,
      expiresAt: new Date(clock.now + TEN_MINUTES).toISOString(),
    });
  const person = createOnePerson();
  const tokens = createConsoleTokens({
    fetch: async (url, init) => {
      sent.push(`${init.method} ${url} ${init.body}`);
      return (answers.shift() ?? issue)();
    },
    now: () => clock.now,
    takeActivity: noteActivity(page),
    person,
  });
  return { clock, sent, answers, tokens, page, person, signedIn };
}

describe('the tokens of the console', () => {
  it('are asked for once by callers at the same time', async () => {
    const { tokens, sent } = setUp();
    const got = await Promise.all([tokens.current(), tokens.current(), tokens.current()]);
    expect(new Set(got).size).toBe(1);
    expect(sent).toEqual(['POST /console/token {"active":true}']);
  });

  it('extend the browser session only after the person has done something', async () => {
    const { tokens, sent, clock, page } = setUp();
    const renew = async () => {
      clock.now += TEN_MINUTES;
      await tokens.current();
      return sent.at(-1)?.endsWith('{"active":true}');
    };
    expect(await renew()).toBe(true);
    expect(await renew()).toBe(false);
    page.dispatchEvent(new Event('keydown'));
    expect(await renew()).toBe(true);
    expect(await renew()).toBe(false);
  });

  it('are kept while they last, and renewed once in their last minute', async () => {
    const { tokens, sent, clock } = setUp();
    const first = await tokens.current();
    clock.now += TEN_MINUTES - 61_000;
    expect(await tokens.current()).toBe(first);
    clock.now += 2_000;
    const [next, same] = await Promise.all([tokens.current(), tokens.current()]);
    expect(next).not.toBe(first);
    expect(same).toBe(next);
    expect(sent).toHaveLength(2);
  });

  it('are replaced when one was rejected, but not by a rejection that came late', async () => {
    const { tokens, sent } = setUp();
    const first = await tokens.current();
    tokens.drop(first);
    const second = await tokens.current();
    tokens.drop(first);
    expect(await tokens.current()).toBe(second);
    expect(sent).toHaveLength(2);
  });

  it('are not asked for again after a 401, until a person has signed in', async () => {
    const { tokens, sent, answers } = setUp();
    const told: string[] = [];
    tokens.onSignedOut(() => told.push('signed out'));
    answers.push(() => new Response(null, { status: 401 }));
    await expect(tokens.current()).rejects.toThrow(SignedOutError);
    await expect(tokens.current()).rejects.toThrow(SignedOutError);
    expect(sent).toHaveLength(1);
    expect(told).toEqual(['signed out']);
    expect(tokens.isSignedOut()).toBe(true);
    tokens.resume();
    expect(await tokens.current()).toMatch(/^token-/);
  });

  it('are never those of another person than the first', async () => {
    const { tokens, person, signedIn } = setUp();
    const seen: boolean[] = [];
    person.subscribe(() => seen.push(person.hasOther()));
    tokens.drop(await tokens.current());
    expect(await tokens.current()).toMatch(/^token-/);
    signedIn.userId = 'li';
    tokens.drop(await tokens.current());
    await expect(tokens.current()).rejects.toThrow(OtherPersonError);
    await expect(tokens.current()).rejects.toThrow(OtherPersonError);
    expect(seen[0]).toBe(true);
  });

  it('are given by a node that does not say for whom', async () => {
    const { tokens, signedIn } = setUp();
    signedIn.userId = undefined;
    expect(await tokens.current()).toMatch(/^token-/);
  });

  it('are asked for again after any other failure', async () => {
    const { tokens, answers } = setUp();
    answers.push(() => new Response(null, { status: 503 }));
    await expect(tokens.current()).rejects.toThrow('HTTP 503');
    expect(await tokens.current()).toMatch(/^token-/);
  });
});
