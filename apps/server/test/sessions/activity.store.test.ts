import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { countSessions } from '../../src/sessions/count-sessions.ts';
import { countOpenSessions } from '../../src/sessions/end-sessions.ts';
import { findSessions, findSessionsById } from '../../src/sessions/find-sessions.ts';
import type { OpenSession, Sessions } from '../../src/sessions/sessions.ts';
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
  node.legacy.open(at(world.routes, 0), at(world.callers, 0), 'upstream');

async function countsOn(node: Sessions) {
  const id = at(world.applicationIds, 0);
  return (await countSessions(store.db, [id], node.admin)).get(id);
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

/** A store with a database that fails on demand. */
function failing(store: Store) {
  let isFailing = false;
  const db = (store.db as PrismaClient).$extends({
    query: {
      $allOperations: async ({ args, query }) => {
        if (isFailing) throw new Error('away');
        return query(args);
      },
    },
  });
  return {
    store: { ...store, db: db as unknown as Store['db'] },
    fail: (value: boolean) => {
      isFailing = value;
    },
  };
}

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
      reader.legacy.require(at(world.routes, 0), at(world.callers, 0), clientSessionId);
    await expect(finding()).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('held in memory expires too, unless another node heard from it', async () => {
    const [here, elsewhere] = [open({ legacyTtl: 600_000 }), open({ legacyTtl: 600_000 })];
    const { session, clientSessionId } = await openLegacy(here);
    const find = async (node: Sessions) =>
      node.legacy.require(at(world.routes, 0), at(world.callers, 0), clientSessionId);
    const heard = await find(elsewhere);
    elsewhere.activity.enter(heard);
    elsewhere.activity.leave(heard);
    await pass(600_001);
    await silence(session, 0);
    expect(await find(here)).toMatchObject({ id: session.id });
    await pass(600_001);
    await silence(session, 600_001);
    await expect(find(here)).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('of a modern client is followed by a new one after its silence', async () => {
    const node = open({ modernTtl: 600_000 });
    const openModern = async () =>
      node.modern.findOrOpen(at(world.routes, 0), at(world.callers, 0));
    const first = await openModern();
    expect(await openModern()).toBe(first);
    await pass(600_001);
    await silence(first, 600_001);
    const second = await openModern();
    expect(second.id).not.toBe(first.id);
    expect(await openModern()).toBe(second);
    expect((await countsOn(node))?.total).toBe(2);
  });

  it('of a modern client is one, even if many nodes get its first calls at once', async () => {
    const many = Array.from({ length: 8 }, () => open());
    const places = world.routes.flatMap((route) =>
      world.callers.map((caller) => ({ route, caller })),
    );
    await Promise.all(many.map(() => store.transaction(({ db }) => db.$queryRaw`SELECT 1`)));
    const touching = places.flatMap(({ route, caller }) =>
      many.map(async (node) => node.modern.findOrOpen(route, caller)),
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
    node.activity.enter(session);
    node.activity.leave(session);
    store.statements();
    await node.activity.flush();
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
    node.activity.enter(session);
    node.activity.leave(session);
    await node.activity.flush();
    expect(await countsOn(reader)).toMatchObject({ active: 1, idle: 0 });
  });

  const onPostgresql = it.runIf(testDatabaseKind === 'postgresql');

  onPostgresql('of a row that is locked is not waited for, and written later', async () => {
    const node = open({ active: 40_000 });
    const [locked, free] = [await openLegacy(node), await openLegacy(node)];
    const silenceOf = async ({ session }: { session: OpenSession }) => {
      const { lastActivityAt } = await store.db.session.findUniqueOrThrow({
        where: { id: session.id },
      });
      return Date.now() - lastActivityAt.getTime();
    };
    for (const { session } of [locked, free]) await silence(session, 60_000);
    await pass(10_000);
    await store.transaction(async ({ db }) => {
      await db.$queryRaw`
        SELECT "id" FROM "Session" WHERE "id" = ${locked.session.id}::uuid FOR UPDATE`;
      for (const { session } of [locked, free]) node.activity.leave(node.activity.enter(session));
      await node.activity.flush();
      expect(await silenceOf(locked)).toBeGreaterThan(50_000);
      expect(await silenceOf(free)).toBeLessThan(10_000);
    });
    await node.activity.flush();
    expect(await silenceOf(locked)).toBeLessThan(10_000);
    await node.close();
  });

  it('that could not be written is written with the next, and lost at the close', async () => {
    const errors: unknown[] = [];
    const database = failing(store);
    const node = openNode(database.store, { active: 40_000 }, undefined, (error) => {
      errors.push(error);
    });
    const { session } = await openLegacy(node);
    const useWhileFailing = async () => {
      database.fail(true);
      await silence(session, 60_000);
      await pass(10_000);
      node.activity.leave(node.activity.enter(session));
    };
    const isWritten = async () => {
      const { lastActivityAt } = await store.db.session.findUniqueOrThrow({
        where: { id: session.id },
      });
      return Date.now() - lastActivityAt.getTime() < 10_000;
    };
    await useWhileFailing();
    await node.activity.flush();
    expect(errors).toContainEqual(new Error('away'));
    expect(await isWritten()).toBe(false);
    database.fail(false);
    await node.activity.flush();
    expect(await isWritten()).toBe(true);
    await useWhileFailing();
    await expect(node.close()).rejects.toThrow('away');
    expect(errors.at(-1)).toMatchObject({ name: 'LostWritesError', count: 1 });
    expect(await isWritten()).toBe(false);
  });

  it('of a session that has ended is not tried again', async () => {
    const node = open({ active: 40_000 });
    const { session } = await openLegacy(node);
    await pass(10_000);
    node.activity.enter(session);
    node.activity.leave(session);
    await node.legacy.end(session);
    await node.activity.flush();
    store.statements();
    await node.activity.flush();
    expect(store.statements()).toEqual([]);
    await node.close();
  });
});

describe('what is in flight', () => {
  it('is live here at once, and elsewhere when it lasts for more than a second', async () => {
    const [here, elsewhere] = [open(), open()];
    const { session } = await openLegacy(here);
    here.activity.enter(session);
    expect((await countsOn(here))?.live).toBe(1);
    await here.activity.flush();
    expect((await countsOn(elsewhere))?.live).toBe(0);
    await pass(1_000);
    await here.activity.flush();
    expect((await countsOn(elsewhere))?.live).toBe(1);
    here.activity.leave(session);
    expect((await countsOn(here))?.live).toBe(0);
    await here.activity.flush();
    expect((await countsOn(elsewhere))?.live).toBe(0);
  });

  it.each(['application', 'person', 'organization'])(
    'is live here at once in what is found and counted by %s',
    async (by) => {
      const node = open();
      const { session } = await openLegacy(node);
      const { organizationId, applicationId } = at(world.routes, 0);
      const { subjectId: userId } = at(world.callers, 0);
      const ids = { application: { applicationId }, person: { userId } };
      const filter = { organizationId, ...ids[by as keyof typeof ids] };
      node.activity.enter(session);
      const page = { before: undefined, take: 10 };
      const { rows } = await findSessions(store.db, { filter, ...page }, node.admin);
      expect(rows).toMatchObject([{ id: session.id, live: true }]);
      expect(await countOpenSessions(store.db, filter, node.admin)).toMatchObject({ streams: 1 });
      const again = await findSessionsById(store.db, [session.id], filter, node.admin);
      expect(again).toMatchObject([{ live: true }]);
      node.activity.leave(session);
    },
  );

  it('keeps a session open past its silence, until the lease of its node ends', async () => {
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
    node.activity.enter(session);
    await pass(1_000);
    await node.activity.flush();
    expect(await store.db.sessionPresence.count({ where: { sessionId: session.id } })).toBe(1);
    await node.close();
    expect(await store.db.sessionPresence.count({ where: { sessionId: session.id } })).toBe(0);
  });
});
