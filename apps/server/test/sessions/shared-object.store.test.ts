import { beforeEach, describe, expect, it } from 'vitest';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { countSessions } from '../../src/sessions/count-sessions.ts';
import type { OpenSession, Sessions } from '../../src/sessions/sessions.ts';
import { defaultWindows } from '../../src/sessions/windows.ts';
import { type Answer, clientOf, startGateway, useFixture } from '../gateway/fixture.ts';
import { useStoppedClock } from '../support/clock.ts';
import { useStore } from '../support/store.ts';
import { at, createWorld, openNode, type World } from './fixture.ts';

const ACTIVE = 40_000;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const clock = useStoppedClock();

/** A node that is never sure to have heard every change: each of its reads goes to the database. */
function withoutLease(store: Store): Store {
  const { changes } = store;
  return {
    ...store,
    changes: { isFresh: () => false, subscribe: (subscriber) => changes.subscribe(subscriber) },
  };
}

/** A database so slow that calls made at once read the same rows at the same time. */
function slow(store: Store): Store {
  const db = (store.db as PrismaClient).$extends({
    query: {
      $allOperations: async ({ args, query }) => {
        await wait(20);
        return query(args);
      },
    },
  });
  return { ...store, db: db as unknown as Store['db'] };
}

describe('a session that two calls loaded one after the other', () => {
  const store = useStore();
  let world: World;
  let node: Sessions;
  beforeEach(async () => {
    world = await createWorld(store);
    node = openNode(withoutLease(store), { active: ACTIVE });
    return () => node.close();
  });

  const counts = async () => {
    const id = at(world.applicationIds, 0);
    return (await countSessions(store.db, [id], node.admin)).get(id);
  };

  /** Two calls of one legacy session, both admitted before either is in flight. */
  async function loadTwice(): Promise<[OpenSession, OpenSession]> {
    const [route, caller] = [at(world.routes, 0), at(world.callers, 0)];
    const { clientSessionId } = await node.legacy.open(route, caller, 'upstream');
    const find = async () => node.legacy.require(route, caller, clientSessionId);
    return [await find(), await find()];
  }

  it('is live for as long as either is in flight', async () => {
    const [first, second] = await loadTwice();
    const stream = node.activity.enter(first);
    const call = node.activity.enter(second);
    node.activity.leave(call);
    expect(await counts()).toMatchObject({ live: 1 });
    clock.pass(1_000);
    await node.activity.flush();
    expect(await store.db.sessionPresence.count({ where: { sessionId: first.id } })).toBe(1);
    node.activity.leave(stream);
    expect(await counts()).toMatchObject({ live: 0 });
  });

  it('becomes active when either moves bytes', async () => {
    const [first, second] = await loadTwice();
    const stream = node.activity.enter(first);
    node.activity.leave(node.activity.enter(second));
    clock.pass(ACTIVE);
    await node.activity.flush();
    await store.db.$executeRaw`
      UPDATE "Session" SET "lastActivityAt" = now() - ${ACTIVE + 1_000}::float8 * interval '1 millisecond'`;
    expect(await counts()).toMatchObject({ active: 0, idle: 1 });
    stream.touch();
    expect(await counts()).toMatchObject({ active: 1, idle: 0 });
    node.activity.leave(stream);
  });
});

describe('a stream through a gateway without a lease', () => {
  const fixture = useFixture();

  it('stays live while other calls of the same session begin and end', async () => {
    const { server, upstream, applicationId } = fixture;
    const gateway = await startGateway(withoutLease(slow(server.store)), {
      windows: { ...defaultWindows, active: ACTIVE },
    });
    const withToken = { authMode: 'server_token', serverToken: 'token' };
    const url = fixture.urlOf(await fixture.integrate(withToken), gateway.origin);
    const send = clientOf(server.owner);
    const opening = send(url, { body: { jsonrpc: '2.0', id: 0, method: 'initialize' } });
    (await upstream.nextRequest()).respondResult({}, { 'Mcp-Session-Id': 'upstream' });
    const { headers: opened } = await opening;
    const headers = {
      'mcp-session-id': String(opened['mcp-session-id']),
      'mcp-protocol-version': '2025-11-25',
    };

    // Its activity is written after a quarter of the window; from then on nothing holds it in memory.
    clock.pass(ACTIVE / 4);
    await gateway.sessions.activity.flush();
    const calls = Array.from({ length: 6 }, () => send(url, { headers }));
    const [first, ...others] = await Promise.all(calls.map(() => upstream.nextRequest()));
    first?.startSse();
    for (const exchange of others) exchange.respondResult({});
    const answers = await Promise.all(calls);
    const isStream = ({ headers }: Answer) => headers['content-type'] === 'text/event-stream';
    const stream = at(answers.filter(isStream), 0);
    await Promise.all(answers.filter((answer) => answer !== stream).map(({ text }) => text()));

    const live = async () =>
      (await countSessions(server.store.db, [applicationId], gateway.sessions.admin)).get(
        applicationId,
      )?.live;
    expect(await live()).toBe(1);
    await gateway.sessions.activity.flush();
    expect(await live()).toBe(1);
    stream.abort();
    await expect.poll(live).toBe(0);
    await gateway.close();
  });
});
