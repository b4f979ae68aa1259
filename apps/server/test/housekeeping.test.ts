import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweep } from '../src/housekeeping.ts';
import { defaultWindows } from '../src/resources/sessions/windows.ts';
import { at, createWorld, openNode, type World } from './sessions/fixture.ts';
import { openTestStore, type TestStore } from './support/store.ts';

const HOUR = 60 * 60_000;
const NODE = '0190a5c0-0000-7000-8000-000000000001';

let store: TestStore;
let world: World;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  world = await createWorld(store);
});

/** A session that has been silent for so many milliseconds. */
async function openSilent(silence: number): Promise<string> {
  const node = openNode(store);
  const { session } = await node.openLegacy(at(world.routes, 0), at(world.callers, 0), 'upstream');
  await node.close();
  await store.db.session.update({
    where: { id: session.id },
    data: { lastActivityAt: new Date(Date.now() - silence) },
  });
  return session.id;
}

/** A node says that something is in flight, until so many milliseconds from now. */
async function keep(sessionId: string, left: number): Promise<void> {
  const leaseUntil = new Date(Date.now() + left);
  const applicationId = at(world.applicationIds, 0);
  await store.db.sessionPresence.create({
    data: { sessionId, nodeId: NODE, applicationId, leaseUntil },
  });
}

async function stateOf(id: string): Promise<string> {
  return (await store.db.session.findUniqueOrThrow({ where: { id } })).state;
}

describe('a sweep', () => {
  it('writes down that sessions expired, an hour after they did', async () => {
    const expired = await openSilent(25 * HOUR + 60_000);
    const expiredJustNow = await openSilent(24 * HOUR + 60_000);
    const open = await openSilent(23 * HOUR);
    await sweep(store.db, defaultWindows);
    expect(await stateOf(expired)).toBe('expired');
    expect(await stateOf(expiredJustNow)).toBe('open');
    expect(await stateOf(open)).toBe('open');
  });

  it('changes nothing of what is counted and listed', async () => {
    await openSilent(26 * HOUR);
    const reader = openNode(store);
    const applicationId = at(world.applicationIds, 0);
    const seen = async () => [
      await reader.count(store.db, [applicationId]),
      await reader.list(store.db, { applicationId, before: undefined, take: 10 }),
    ];
    const before = await seen();
    await sweep(store.db, defaultWindows);
    expect(await seen()).toEqual(before);
    expect(before[1]).toMatchObject([{ state: 'expired', endedAt: null }]);
    await reader.close();
  });

  it('leaves a silent session open while a stream keeps it', async () => {
    const id = await openSilent(48 * HOUR);
    await keep(id, 5_000);
    await sweep(store.db, defaultWindows);
    expect(await stateOf(id)).toBe('open');
  });

  it('removes the presence of nodes that are gone', async () => {
    const [gone, slow] = [await openSilent(0), await openSilent(0)];
    await keep(gone, -HOUR);
    await keep(slow, -60_000);
    await sweep(store.db, defaultWindows);
    expect(await store.db.sessionPresence.findMany({ select: { sessionId: true } })).toContainEqual(
      {
        sessionId: slow,
      },
    );
    expect(await store.db.sessionPresence.count({ where: { sessionId: gone } })).toBe(0);
  });

  it('goes on until every stored answer older than a day is gone, and keeps the others', async () => {
    await store.db.$executeRaw`
      INSERT INTO "IdempotencyKey" ("id", "userId", "operation", "key", "bodyHash", "createdAt")
      SELECT gen_random_uuid(), ${NODE}::uuid, 'POST /integrations', n::text, '',
        now() - CASE WHEN n = 0 THEN interval '23 hours' ELSE interval '25 hours' END
      FROM generate_series(0, 5001) n`;
    await sweep(store.db, defaultWindows);
    expect(await store.db.idempotencyKey.findMany({ select: { key: true } })).toEqual([
      { key: '0' },
    ]);
  });
});
