import { beforeEach, describe, expect, it, vi } from 'vitest';
import { countSessions } from '../../src/sessions/count-sessions.ts';
import type { AggregateSession, OpenSession, Sessions } from '../../src/sessions/sessions.ts';
import { testDatabaseKind } from '../support/database.ts';
import { useStore } from '../support/store.ts';
import { at, createWorld, openNode, type World } from './fixture.ts';

const MINUTE = 60_000;

const store = useStore();
let world: World;
let nodes: Sessions[];
let session: AggregateSession;
let begun: number;

beforeEach(async () => {
  await store.db.session.deleteMany();
  world = await createWorld(store);
  const other = testDatabaseKind === 'postgresql' ? await store.openAnotherNode() : store;
  nodes = [openNode(store), openNode(other)];
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} };
  session = (await at(nodes, 0).aggregates.open(routeOf(), callerOf(), hello)).session;
  begun = 0;
  return () => Promise.all(nodes.map((node) => node.close()));
});

const routeOf = () => at(world.routes, 0);
const callerOf = () => at(world.callers, 0);

const begin = vi.fn(async () => {
  begun += 1;
  return { upstreamSessionId: `upstream-${begun}`, discard: async () => {} };
});

const adopt = (node: number, isUse: boolean) =>
  at(nodes, node).behind.findOrBegin(routeOf(), callerOf(), session.id, begin, isUse);
const end = (node = 0) => at(nodes, node).behind.endUnused(100);

const silence = (milliseconds: number) =>
  store.db.$executeRaw`
    UPDATE "Session" SET "lastActivityAt" = now() - ${milliseconds}::float8 * interval '1 millisecond'`;
const stateOf = async ({ id }: OpenSession) =>
  (await store.db.session.findUniqueOrThrow({ where: { id } })).state;
const counts = async () => {
  const { applicationId } = routeOf();
  return (await countSessions(store.db, [applicationId], at(nodes, 1).admin)).get(applicationId);
};

describe('a session that only lists were read in', () => {
  it('ends after a minute of silence, with its key', async () => {
    const listed = await adopt(0, false);
    await silence(MINUTE - 10_000);
    expect(await end()).toEqual([]);
    await silence(MINUTE + 1_000);
    const [ended, ...others] = await end(1);
    expect(others).toEqual([]);
    expect(ended).toMatchObject({ subjectId: callerOf().subjectId, hello: session.hello });
    expect(ended?.upstreamIdFor(routeOf())).toBe('upstream-1');
    const elsewhere = { ...routeOf(), destination: 'https://elsewhere.example' };
    expect(() => ended?.upstreamIdFor(elsewhere)).toThrow();
    const row = await store.db.session.findUniqueOrThrow({ where: { id: listed.id } });
    expect(row).toMatchObject({ state: 'closed', sealed: null, keyId: null });
    expect(await counts()).toMatchObject({ active: 0, idle: 0, live: 0, total: 1 });
    expect(await end()).toEqual([]);
  });

  it('begins again when it is needed, on each node', async () => {
    for (const isUse of [false, true]) {
      const listed = await adopt(0, false);
      await adopt(1, false);
      await silence(2 * MINUTE);
      expect(await end()).toHaveLength(1);
      // The other node hears of it soon. A use does not wait for that.
      const again = async () => (await adopt(1, isUse)).id;
      if (isUse) expect(await again()).not.toBe(listed.id);
      await expect.poll(again).not.toBe(listed.id);
      const { id } = await adopt(1, isUse);
      await expect.poll(async () => (await adopt(0, isUse)).id).toBe(id);
    }
    expect(await counts()).toMatchObject({ live: 0, total: 3 });
  });

  it('stays once its client has used it, on any node', async () => {
    const listed = await adopt(0, false);
    await adopt(1, false);
    expect(await adopt(1, true)).toMatchObject({ id: listed.id });
    await silence(2 * MINUTE);
    expect(await end()).toEqual([]);
    // That node does not know it, and writes it once.
    expect(await adopt(0, true)).toMatchObject({ id: listed.id });
    store.statements();
    await adopt(0, true);
    expect(store.statements()).toEqual([]);
  });

  it('is used, or has ended: never both', async () => {
    for (let round = 0; round < 20; round += 1) {
      const listed = await adopt(0, false);
      await silence(2 * MINUTE);
      const [used, ended] = await Promise.all([adopt(0, true), end(1)]);
      expect(used.id === listed.id).toBe(ended.length === 0);
      expect(await stateOf(used)).toBe('open');
      await at(nodes, 0).legacy.end(used);
    }
  });

  it('ends on one node', async () => {
    await adopt(0, false);
    await silence(2 * MINUTE);
    const ended = await Promise.all([end(0), end(1), end(0), end(1)]);
    expect(ended.flat()).toHaveLength(1);
  });

  it('stays while something is in flight', async () => {
    const node = at(nodes, 1);
    const stream = node.activity.enter(await adopt(1, false));
    await silence(2 * MINUTE);
    // This node knows better; the others have a row about it after a second.
    stream.activityWrittenAt -= 2 * MINUTE;
    expect(await end(1)).toEqual([]);
    stream.busySince -= 2_000;
    await node.activity.flush();
    await silence(2 * MINUTE);
    expect(await end(0)).toEqual([]);
    node.activity.leave(stream);
    await node.activity.flush();
    await silence(2 * MINUTE);
    expect(await end(0)).toHaveLength(1);
  });
});

it('another session stays, however silent it is', async () => {
  await adopt(0, true);
  await at(nodes, 0).legacy.open(routeOf(), callerOf(), 'upstream');
  await at(nodes, 0).modern.findOrOpen(routeOf(), callerOf());
  await silence(10 * MINUTE);
  expect(await end()).toEqual([]);
});
