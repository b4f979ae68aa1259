import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sessions } from '../../src/sessions/node-sessions.ts';
import type { OpenSession } from '../../src/sessions/sessions.ts';
import { useStoppedClock } from '../support/clock.ts';
import { testDatabaseKind } from '../support/database.ts';
import { useStore } from '../support/store.ts';
import { at, createWorld, openNode, type World } from './fixture.ts';

const store = useStore();
let world: World;
const nodes: Sessions[] = [];
const clock = useStoppedClock();

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
});
beforeEach(async () => {
  world = await createWorld(store);
});

function open(windows = {}): Sessions {
  const node = openNode(store, windows);
  nodes.push(node);
  return node;
}

const openLegacy = (node: Sessions) =>
  node.openLegacy(at(world.routes, 0), at(world.callers, 0), 'upstream');

async function countsOn(node: Sessions) {
  const id = at(world.applicationIds, 0);
  return (await node.count(store.db, [id])).get(id);
}

/** Moves the clock of the nodes on; {@link silence} does the same for the database. */
async function pass(milliseconds: number): Promise<void> {
  clock.pass(milliseconds);
  // On PostgreSQL a store that has not been in touch for so long reads again before it remembers.
  await expect.poll(() => store.changes.isFresh()).toBe(true);
}

/** Moves a session's activity into the past, as the database knows it. */
const silence = (session: OpenSession, milliseconds: number) =>
  store.db.$executeRaw`
    UPDATE "Session" SET "lastActivityAt" = now() - ${milliseconds}::float8 * interval '1 millisecond'
    WHERE "id" = ${session.id}::uuid`;

describe('a session', () => {
  it('is active, then idle, then expired', async () => {
    const [writer, reader] = [open(), open()];
    const { session, clientSessionId } = await openLegacy(writer);
    expect(await countsOn(reader)).toEqual({ active: 1, idle: 0, live: 0, total: 1 });
    await silence(session, 6 * 60_000);
    expect(await countsOn(reader)).toEqual({ active: 0, idle: 1, live: 0, total: 1 });
    await silence(session, 25 * 60 * 60_000);
    expect(await countsOn(reader)).toEqual({ active: 0, idle: 0, live: 0, total: 1 });
    const finding = async () =>
      reader.findLegacy(at(world.routes, 0), at(world.callers, 0), clientSessionId);
    await expect(finding()).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('held in memory expires too, unless another node heard from it', async () => {
    const [here, elsewhere] = [open({ legacyTtl: 600_000 }), open({ legacyTtl: 600_000 })];
    const { session, clientSessionId } = await openLegacy(here);
    const find = async (node: Sessions) =>
      node.findLegacy(at(world.routes, 0), at(world.callers, 0), clientSessionId);
    const heard = await find(elsewhere);
    elsewhere.begin(heard);
    elsewhere.done(heard);
    await pass(600_001);
    await silence(session, 0);
    expect(await find(here)).toMatchObject({ id: session.id });
    await pass(600_001);
    await silence(session, 600_001);
    await expect(find(here)).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('of a modern client is followed by a new one after its silence', async () => {
    const node = open({ modernTtl: 600_000 });
    const touch = async () => node.touchModern(at(world.routes, 0), at(world.callers, 0));
    const first = await touch();
    expect(await touch()).toBe(first);
    await pass(600_001);
    await silence(first, 600_001);
    const second = await touch();
    expect(second.id).not.toBe(first.id);
    expect(await touch()).toBe(second);
    expect((await countsOn(node))?.total).toBe(2);
  });

  it('of a modern client is one, however many nodes see it first at once', async () => {
    const many = Array.from({ length: 8 }, () => open());
    const places = world.routes.flatMap((route) =>
      world.callers.map((caller) => ({ route, caller })),
    );
    await Promise.all(many.map(() => store.transaction(({ db }) => db.$queryRaw`SELECT 1`)));
    const touching = places.flatMap(({ route, caller }) =>
      many.map(async (node) => node.touchModern(route, caller)),
    );
    const ids = new Set((await Promise.all(touching)).map(({ id }) => id));
    expect(ids.size).toBe(places.length);
  });

  it('is counted exactly when many are opened at once', async () => {
    const node = open();
    await Promise.all(Array.from({ length: 25 }, () => openLegacy(node)));
    expect(await countsOn(node)).toEqual({ active: 25, idle: 0, live: 0, total: 25 });
  });
});

describe('activity', () => {
  it('is written behind, by the age the node measured and at most every 15 s', async () => {
    const node = open();
    const { session } = await openLegacy(node);
    await silence(session, 60_000);
    await pass(14_999);
    node.begin(session);
    node.done(session);
    store.statements();
    await node.flush();
    expect(store.statements()).toEqual([]);
    await node.close();
    const { lastActivityAt } = await store.db.session.findUniqueOrThrow({
      where: { id: session.id },
    });
    expect(Date.now() - lastActivityAt.getTime()).toBeLessThan(10_000);
  });

  it('is written soon with short windows', async () => {
    const [node, reader] = [open({ active: 40_000 }), open({ active: 40_000 })];
    const { session } = await openLegacy(node);
    await pass(10_000);
    await silence(session, 40_000);
    expect(await countsOn(reader)).toMatchObject({ active: 0, idle: 1 });
    node.begin(session);
    node.done(session);
    await node.flush();
    expect(await countsOn(reader)).toMatchObject({ active: 1, idle: 0 });
  });

  const onPostgresql = it.runIf(testDatabaseKind === 'postgresql');

  onPostgresql('of a row that somebody holds is not waited for, and written later', async () => {
    const node = open({ active: 40_000 });
    const [held, free] = [await openLegacy(node), await openLegacy(node)];
    const silenceOf = async ({ session }: { session: OpenSession }) => {
      const { lastActivityAt } = await store.db.session.findUniqueOrThrow({
        where: { id: session.id },
      });
      return Date.now() - lastActivityAt.getTime();
    };
    for (const { session } of [held, free]) await silence(session, 60_000);
    await pass(10_000);
    await store.transaction(async ({ db }) => {
      await db.$queryRaw`
        SELECT "id" FROM "Session" WHERE "id" = ${held.session.id}::uuid FOR UPDATE`;
      for (const { session } of [held, free]) node.done(node.begin(session));
      await node.flush();
      expect(await silenceOf(held)).toBeGreaterThan(50_000);
      expect(await silenceOf(free)).toBeLessThan(10_000);
    });
    await node.flush();
    expect(await silenceOf(held)).toBeLessThan(10_000);
    await node.close();
  });

  it('of a session that has ended is not tried again', async () => {
    const node = open({ active: 40_000 });
    const { session } = await openLegacy(node);
    await pass(10_000);
    node.begin(session);
    node.done(session);
    await node.end(session);
    await node.flush();
    store.statements();
    await node.flush();
    expect(store.statements()).toEqual([]);
    await node.close();
  });
});

describe('what is in flight', () => {
  it('is live here at once, and elsewhere when it lasts for more than a second', async () => {
    const [here, elsewhere] = [open(), open()];
    const { session } = await openLegacy(here);
    here.begin(session);
    expect((await countsOn(here))?.live).toBe(1);
    await here.flush();
    expect((await countsOn(elsewhere))?.live).toBe(0);
    await pass(1_000);
    await here.flush();
    expect((await countsOn(elsewhere))?.live).toBe(1);
    here.done(session);
    expect((await countsOn(here))?.live).toBe(0);
    await here.flush();
    expect((await countsOn(elsewhere))?.live).toBe(0);
  });

  it('keeps a session open past its silence, until its node stops saying so', async () => {
    const [here, elsewhere] = [open(), open()];
    const { session } = await openLegacy(here);
    const nodeId = '0190a5c0-0000-7000-8000-000000000001';
    const leaseUntil = new Date(Date.now() + 60_000);
    const applicationId = at(world.applicationIds, 0);
    await store.db.sessionPresence.create({
      data: { sessionId: session.id, nodeId, applicationId, leaseUntil },
    });
    await silence(session, 25 * 60 * 60_000);
    expect(await countsOn(elsewhere)).toEqual({ active: 0, idle: 1, live: 1, total: 1 });
    await store.db.sessionPresence.updateMany({ data: { leaseUntil: new Date(0) } });
    expect(await countsOn(elsewhere)).toEqual({ active: 0, idle: 0, live: 0, total: 1 });
  });

  it('leaves no trace when its node closes', async () => {
    const node = open();
    const { session } = await openLegacy(node);
    node.begin(session);
    await pass(1_000);
    await node.flush();
    expect(await store.db.sessionPresence.count({ where: { sessionId: session.id } })).toBe(1);
    await node.close();
    expect(await store.db.sessionPresence.count({ where: { sessionId: session.id } })).toBe(0);
  });
});
