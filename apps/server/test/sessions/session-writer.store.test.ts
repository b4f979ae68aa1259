import { describe, expect, it } from 'vitest';
import { countSessions } from '../../src/sessions/count-sessions.ts';
import { testDatabaseKind } from '../support/database.ts';
import { useStore } from '../support/store.ts';
import { at, useNode } from './fixture.ts';

const store = useStore();
const own = useNode(store);

const open = (route: number, caller = 0) =>
  own.node.legacy.open(at(own.world.routes, route), at(own.world.callers, caller), 'upstream');

const openMany = (count: number, route = 0) =>
  Promise.all(Array.from({ length: count }, () => open(route)));

const totalOf = async (index: number) => {
  const id = at(own.world.applicationIds, index);
  return (await countSessions(store.db, [id], own.node.admin)).get(id)?.total;
};

describe('sessions that begin and end at the same time', () => {
  it('are written by a few statements, and counted exactly', async () => {
    await open(0);
    store.statements();
    const opened = await openMany(50);
    expect(await totalOf(0)).toBe(51);
    await Promise.all(opened.map(({ session }) => own.node.legacy.end(session)));
    const writes = store.statements().filter((sql) => sql.includes('INSERT INTO "Session"'));
    expect(writes.length).toBeLessThanOrEqual(4);
    const ids = opened.map(({ session }) => session.id);
    const where = { id: { in: ids }, state: 'closed' } as const;
    expect(await store.db.session.count({ where })).toBe(50);
  });

  it('are refused one by one', async () => {
    const archived = at(own.world.applicationIds, 1);
    await store.db.application.update({
      where: { id: archived },
      data: { archivedAt: new Date() },
    });
    const results = await Promise.allSettled([open(0), open(2), open(1), open(3)]);
    expect(results.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    ]);
    expect(results[1]).toMatchObject({ reason: { code: 'not_found' } });
    expect([await totalOf(0), await totalOf(1)]).toEqual([2, 0]);
  });

  it('end once, however often they are ended', async () => {
    const { session } = await open(0);
    await Promise.all([
      own.node.legacy.end(session),
      own.node.legacy.end(session),
      own.node.legacy.end(session),
    ]);
    await own.node.legacy.end(session);
    const row = await store.db.session.findUnique({ where: { id: session.id } });
    expect(row).toMatchObject({ state: 'closed', sealed: null });
  });
});

describe.runIf(testDatabaseKind === 'postgresql')('a locked row', () => {
  it('holds up the sessions that need it, and no others', async () => {
    const other = await store.openAnotherNode();
    const { session } = await open(2);
    let unlock = () => {};
    const locked = new Promise<void>((isLocked) => {
      void other.transaction(async ({ db }) => {
        await db.$queryRaw`SELECT "id" FROM "Application" WHERE "id" = ${at(own.world.applicationIds, 1)}::uuid FOR UPDATE`;
        await db.$queryRaw`SELECT "id" FROM "Session" WHERE "id" = ${session.id}::uuid FOR UPDATE`;
        isLocked();
        await new Promise<void>((resolve) => (unlock = resolve));
      });
    });
    await locked;
    let isWritten = false;
    const held = Promise.all([open(2), own.node.legacy.end(session)]).finally(
      () => (isWritten = true),
    );
    await Promise.all([openMany(20), openMany(20)]);
    expect(isWritten).toBe(false);
    unlock();
    await held;
    expect([await totalOf(0), await totalOf(1)]).toEqual([40, 2]);
    const row = await store.db.session.findUnique({ where: { id: session.id } });
    expect(row).toMatchObject({ state: 'closed' });
  });

  it('leaves connections to others, however many sessions wait for it', async () => {
    const other = await store.openAnotherNode();
    let unlock = () => {};
    await new Promise<void>((isLocked) => {
      void other.transaction(async ({ db }) => {
        await db.$queryRaw`SELECT "id" FROM "Application" WHERE "id" = ${at(own.world.applicationIds, 1)}::uuid FOR UPDATE`;
        isLocked();
        await new Promise<void>((resolve) => (unlock = resolve));
      });
    });
    const waiting = openMany(30, 2);
    const begun = Date.now();
    await Promise.all([openMany(5), store.db.organization.count()]);
    expect(Date.now() - begun).toBeLessThan(2_000);
    unlock();
    await waiting;
    expect(await totalOf(1)).toBe(30);
  });
});
