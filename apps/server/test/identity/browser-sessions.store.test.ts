import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../src/bootstrap.ts';
import { createBrowserSessions, type Entry } from '../../src/identity/browser-sessions.ts';
import { storePassword } from '../../src/identity/passwords.ts';
import { TESTER, unrecorded } from '../support/events.ts';
import { useStore } from '../support/store.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const store = useStore();
let userId: string;
beforeEach(async () => {
  await bootstrap(store, 'x'.repeat(32));
  userId = (await store.db.user.findFirstOrThrow()).id;
  await store.db.browserSession.deleteMany();
});

const sessions = () => createBrowserSessions(store, 'http://127.0.0.1:3000');
const cookieOf = (setCookie: string): string => setCookie.split(';')[0] ?? '';
const begin = async (entry: Partial<Entry> = {}, header?: string) =>
  cookieOf(await sessions().begin({ userId, way: 'password', ...entry }, header));
const age = (data: { createdAt?: Date; lastSeenAt?: Date }) =>
  store.db.browserSession.updateMany({ data });
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);

describe('a browser session', () => {
  it('names its person by one read', async () => {
    const cookie = await begin();
    store.statements();
    expect(await sessions().find(`other=1; ${cookie}; more=2`)).toMatchObject({
      userId,
      email: 'owner@localhost',
      name: 'Owner',
      role: 'owner',
    });
    expect(store.statements()).toHaveLength(1);
  });

  it('is not found without a cookie, by a foreign one, or by one that is not whole', async () => {
    const cookie = await begin();
    store.statements();
    for (const header of [undefined, '', 'other=1', 'gatehouse=', `gatehouse=${'%'.repeat(43)}`]) {
      expect(await sessions().find(header)).toBeUndefined();
    }
    expect(store.statements()).toEqual([]);
    expect(await sessions().find(cookie.slice(0, -1))).toBeUndefined();
    expect(await sessions().find(`gatehouse=${'A'.repeat(43)}`)).toBeUndefined();
    expect(await sessions().find(`x${cookie}`)).toBeUndefined();
  });

  it('is over after 7 days of silence', async () => {
    const cookie = await begin();
    await age({ lastSeenAt: ago(7 * DAY - MINUTE), createdAt: ago(8 * DAY) });
    expect(await sessions().find(cookie)).toBeDefined();
    await age({ lastSeenAt: ago(7 * DAY + MINUTE) });
    expect(await sessions().find(cookie)).toBeUndefined();
  });

  it('is over after 30 days in all, however busy', async () => {
    const cookie = await begin();
    await age({ createdAt: ago(30 * DAY - MINUTE) });
    expect(await sessions().find(cookie)).toBeDefined();
    await age({ createdAt: ago(30 * DAY + MINUTE), lastSeenAt: new Date() });
    expect(await sessions().find(cookie)).toBeUndefined();
  });

  it('writes when it was last seen once a minute at most', async () => {
    const cookie = await begin();
    const seen = async () => (await store.db.browserSession.findFirstOrThrow()).lastSeenAt;
    await age({ lastSeenAt: ago(30_000) });
    const before = await seen();
    await sessions().find(cookie);
    expect(await seen()).toEqual(before);
    await age({ lastSeenAt: ago(61_000) });
    await sessions().find(cookie);
    expect(Date.now() - (await seen()).getTime()).toBeLessThan(30_000);
  });

  it('ends with its member', async () => {
    const cookie = await begin();
    await store.db.user.delete({ where: { id: userId } });
    expect(await sessions().find(cookie)).toBeUndefined();
    await expect(begin()).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    await store.db.organization.deleteMany();
  });

  it('gets a new value: the one that the browser sent is never reused, and its session ends', async () => {
    const planted = `gatehouse=${'A'.repeat(43)}`;
    const first = await begin({}, planted);
    expect(await sessions().find(planted)).toBeUndefined();
    const second = await begin({}, first);
    expect(await sessions().find(first)).toBeUndefined();
    expect(await sessions().find(second)).toBeDefined();
  });

  it('ends with a new password, wherever it is', async () => {
    const cookies = [await begin(), await begin()];
    await storePassword(unrecorded(store.db), { userId, passwordHash: 'new' }, TESTER);
    for (const cookie of cookies) expect(await sessions().find(cookie)).toBeUndefined();
  });

  it('does not begin with a password that was changed since it was compared', async () => {
    await storePassword(unrecorded(store.db), { userId, passwordHash: 'new' }, TESTER);
    await expect(begin({ passwordHash: 'old' })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(await store.db.browserSession.count()).toBe(0);
    await begin({ passwordHash: 'new' });
    expect(await store.db.browserSession.count()).toBe(1);
  });
});

it('of two changes of the same password, one succeeds', async () => {
  await storePassword(unrecorded(store.db), { userId, passwordHash: 'first' }, TESTER);
  const change = (passwordHash: string) =>
    store.transaction((tx) =>
      storePassword(tx, { userId, passwordHash, previousHash: 'first' }, TESTER),
    );
  expect((await Promise.all([change('a'), change('b')])).sort()).toEqual([false, true]);
});
