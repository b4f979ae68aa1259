import { hash, randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ClientHello } from '../../src/mcp/client-hello.ts';
import type { Change } from '../../src/platform/changes/changes.ts';
import { createId } from '../../src/platform/ids.ts';
import { type AggregateSession, findEnded, type Sessions } from '../../src/sessions/sessions.ts';
import { useStoppedClock } from '../support/clock.ts';
import { testDatabaseKind } from '../support/database.ts';
import { useStore } from '../support/store.ts';
import { at, createWorld, openNode, type World } from './fixture.ts';

const NOT_FOUND = { code: 'session_not_found' };
const TTL = 600_000;
const HELLO: ClientHello = {
  protocolVersion: '2025-06-18',
  capabilities: { roots: { listChanged: true } },
  clientInfo: { name: 'client', version: '1' },
};

const store = useStore();
const clock = useStoppedClock();
let world: World;
let nodes: Sessions[];

beforeEach(async () => {
  world = await createWorld(store);
  vi.useFakeTimers({ toFake: ['setInterval'] });
  nodes = [openNode(store, { legacyTtl: TTL }), openNode(store, { legacyTtl: TTL })];
  return async () => {
    vi.useRealTimers();
    await Promise.all(nodes.map((node) => node.close()));
  };
});

/** The nodes begin to write what waits. */
async function tick(): Promise<void> {
  vi.advanceTimersByTime(1_000);
  await setImmediate();
}

const placeOf = (application = 0) => {
  const { organizationId } = at(world.routes, 0);
  return { organizationId, applicationId: at(world.applicationIds, application) };
};
const open = (caller = 0, hello = HELLO, application = 0) =>
  at(nodes, 0).aggregates.open(placeOf(application), at(world.callers, caller), hello);
const find = async (node: number, clientSessionId: string, caller = at(world.callers, 0)) =>
  at(nodes, node).aggregates.require(placeOf(), caller, clientSessionId);
const rowOf = ({ id }: AggregateSession) =>
  store.db.aggregateSession.findUniqueOrThrow({ where: { id } });

/** Moves the clock of the nodes on; {@link silence} does the same for the database. */
async function pass(milliseconds: number): Promise<void> {
  clock.pass(milliseconds);
  await expect.poll(() => store.changes.isFresh()).toBe(true);
}

const silence = ({ id }: AggregateSession, milliseconds: number) =>
  store.db.$executeRaw`
    UPDATE "AggregateSession"
    SET "lastUsedAt" = now() - ${milliseconds}::float8 * interval '1 millisecond'
    WHERE "id" = ${id}::uuid`;

/** The sessions that are announced from now on, in any order. */
function listen() {
  const announced: Change[] = [];
  const unsubscribe = store.changes.subscribe({
    react: (changes) => announced.push(...(changes === 'everything' ? [] : changes)),
  });
  onTestFinished(unsubscribe);
  return () => announced.map(({ kind, id }) => `${kind} ${id}`).sort();
}

describe('an aggregate session', () => {
  it('is written before its id is given out, and its id is not', async () => {
    const { session, clientSessionId } = await open();
    const row = await rowOf(session);
    expect(Buffer.from(row.hash).toString('hex')).toBe(hash('sha256', clientSessionId));
    expect(JSON.stringify(row)).not.toContain(clientSessionId);
    const { subjectId, bearerId } = at(world.callers, 0);
    expect(row).toMatchObject({ ...placeOf(), userId: subjectId, tokenId: bearerId });
  });

  it('is the same on every node, with what its client has said', async () => {
    const { session, clientSessionId } = await open();
    const expected = { id: session.id, ...placeOf(), subjectId: at(world.callers, 0).subjectId };
    expect(session).toEqual({ ...expected, hello: HELLO, logLevel: undefined, subscriptions: [] });
    expect(await find(1, clientSessionId)).toEqual(session);
  });

  it('has whatever a client may say', async () => {
    const clientInfo = { name: '\u0000 \ud800 \\u0000 "', version: '🗝️' };
    const hello = { ...HELLO, clientInfo };
    const { clientSessionId } = await open(0, hello);
    expect((await find(1, clientSessionId)).hello).toEqual(hello);
  });

  it('has not more than four kibibytes of it', async () => {
    const saying = (length: number) => ({ ...HELLO, clientInfo: { name: 'x'.repeat(length) } });
    await open(0, saying(3_900));
    await expect(open(0, saying(4_096))).rejects.toThrow(RangeError);
  });

  it('is found in memory, without a statement, until something changes that it depends on', async () => {
    const { session, clientSessionId } = await open();
    store.statements();
    const require = () =>
      at(nodes, 0).aggregates.require(placeOf(), at(world.callers, 0), clientSessionId);
    expect(require()).toBe(session);
    expect(store.statements()).toEqual([]);
    const rows = [
      { kind: 'application', id: session.applicationId },
      { kind: 'member', id: session.subjectId },
      { kind: 'session', id: session.id },
    ] as const;
    for (const row of rows) {
      await store.transaction(async ({ announce }) => announce(row));
      expect(require()).toBeInstanceOf(Promise);
      await require();
      expect(require()).toEqual(session);
    }
  });

  it('belongs to its person, with any token, and to its application', async () => {
    const { session, clientSessionId } = await open();
    const { subjectId } = at(world.callers, 0);
    for (const node of [0, 1]) {
      expect(await find(node, clientSessionId, { subjectId, bearerId: randomUUID() })).toEqual(
        session,
      );
      const stranger = find(node, clientSessionId, at(world.callers, 1));
      await expect(stranger).rejects.toMatchObject(NOT_FOUND);
      const elsewhere = async () =>
        at(nodes, node).aggregates.require(placeOf(1), at(world.callers, 0), clientSessionId);
      await expect(elsewhere()).rejects.toMatchObject(NOT_FOUND);
    }
  });

  it('that was never opened is looked up only if its id has the form of one', async () => {
    const { clientSessionId } = await open();
    store.statements();
    await expect(find(0, `${clientSessionId}=`)).rejects.toMatchObject(NOT_FOUND);
    expect(store.statements()).toEqual([]);
    const other = `${clientSessionId.startsWith('x') ? 'y' : 'x'}${clientSessionId.slice(1)}`;
    await expect(find(0, other)).rejects.toMatchObject(NOT_FOUND);
    expect(store.statements()).toHaveLength(1);
  });

  it('shares a statement with others that are opened at the same moment', async () => {
    await open();
    store.statements();
    const opened = await Promise.all(Array.from({ length: 50 }, (_, index) => open(index % 2)));
    const inserts = store.statements().filter((sql) => sql.includes('"AggregateSession"'));
    expect([1, 2]).toContain(inserts.length);
    expect(new Set(opened.map(({ clientSessionId }) => clientSessionId)).size).toBe(50);
  });

  it('is refused for an archived application, and those of others are not', async () => {
    const id = at(world.applicationIds, 1);
    await store.db.application.update({ where: { id }, data: { archivedAt: new Date() } });
    const results = await Promise.allSettled([open(), open(0, HELLO, 1), open(1)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'not_found' } });
  });
});

describe('the use of an aggregate session', () => {
  it('is written behind, every 15 seconds at most', async () => {
    const { session, clientSessionId } = await open();
    await silence(session, 300_000);
    store.statements();
    const statements: string[] = [];
    const count = () => statements.push(...store.statements());
    const use = async (after: number) => {
      await pass(after);
      await find(0, clientSessionId);
      await tick();
    };
    await use(14_999);
    expect(count()).toBe(0);
    await use(1);
    await expect.poll(count).toBe(1);
    await use(14_999);
    expect(count()).toBe(1);
    const since = Date.now() - (await rowOf(session)).lastUsedAt.getTime();
    expect(Math.abs(since)).toBeLessThan(60_000);
    store.statements();
    await use(1);
    await expect.poll(count).toBe(2);
  });

  it('that still waits is written when the node closes', async () => {
    const { session, clientSessionId } = await open();
    await silence(session, 300_000);
    await pass(20_000);
    await find(0, clientSessionId);
    await at(nodes, 0).close();
    const since = Date.now() - (await rowOf(session)).lastUsedAt.getTime();
    expect(since).toBeLessThan(60_000);
  });

  it('of one that has ended is not written', async () => {
    const { session, clientSessionId } = await open();
    await pass(20_000);
    await find(0, clientSessionId);
    await at(nodes, 1).aggregates.end(session);
    const { lastUsedAt } = await rowOf(session);
    store.statements();
    await tick();
    await expect.poll(() => store.statements()).toHaveLength(1);
    expect((await rowOf(session)).lastUsedAt).toEqual(lastUsedAt);
  });

  it('keeps it open on other nodes too, and after its silence it is over', async () => {
    const { session, clientSessionId } = await open();
    await find(1, clientSessionId);
    await pass(TTL + 1);
    await silence(session, 0);
    expect(await find(0, clientSessionId)).toMatchObject({ id: session.id });
    await pass(TTL + 1);
    await silence(session, TTL + 1);
    nodes.push(openNode(store, { legacyTtl: TTL }));
    for (const node of [0, 1, 2]) {
      await expect(find(node, clientSessionId)).rejects.toMatchObject(NOT_FOUND);
    }
  });

  it('that was long ago on this node is read once, and then known', async () => {
    const { session, clientSessionId } = await open();
    await pass(TTL + 1);
    await silence(session, 0);
    await find(0, clientSessionId);
    store.statements();
    expect(await find(0, clientSessionId)).toBe(session);
    expect(store.statements()).toEqual([]);
  });
});

describe('the log level of an aggregate session', () => {
  it('is known on every node', async () => {
    const { session, clientSessionId } = await open();
    await find(1, clientSessionId);
    await at(nodes, 1).aggregates.setLogLevel(session, 'warning');
    for (const node of [0, 1]) {
      expect((await find(node, clientSessionId)).logLevel).toBe('warning');
    }
  });

  it('cannot be set once it has ended', async () => {
    const { session } = await open();
    await at(nodes, 0).aggregates.end(session);
    const setting = at(nodes, 1).aggregates.setLogLevel(session, 'debug');
    await expect(setting).rejects.toMatchObject(NOT_FOUND);
  });
});

describe('the end of an aggregate session', () => {
  /** Statements that wait for a lock. */
  async function countWaiting(): Promise<number> {
    const rows = await store.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity
      WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`;
    return rows.length;
  }

  const begin = (upstreamSessionId: string) => async () => ({
    upstreamSessionId,
    discard: async () => {},
  });

  it('closes the sessions behind it, and announces each of them', async () => {
    const { session, clientSessionId } = await open();
    await find(1, clientSessionId);
    const other = await open(1);
    const behind = [];
    for (const route of world.routes.slice(0, 2)) {
      behind.push(
        await at(nodes, 0).behind.findOrBegin(
          route,
          at(world.callers, 0),
          session.id,
          begin('a'),
          true,
        ),
      );
    }
    const kept = await at(nodes, 0).behind.findOrBegin(
      ...([at(world.routes, 0), at(world.callers, 1), other.session.id, begin('b'), true] as const),
    );
    const announced = listen();
    await at(nodes, 1).aggregates.end(session);
    const ids = [session.id, ...behind.map(({ id }) => id)];
    await expect.poll(announced).toEqual(ids.map((id) => `session ${id}`).sort());
    const rows = await store.db.session.findMany({ where: { aggregateSessionId: session.id } });
    expect(rows).toHaveLength(2);
    for (const { state, endedAt, sealed, keyId } of rows) {
      expect([state, endedAt, sealed, keyId]).toEqual(['closed', expect.any(Date), null, null]);
    }
    expect(await findEnded(store.db, [...behind, kept])).toEqual(
      new Map(behind.map((one) => [one, 'closed'])),
    );
    const route = at(world.routes, 0);
    expect(at(nodes, 0).behind.peek(route, at(world.callers, 0), session.id)).toBeUndefined();
    for (const node of [0, 1]) {
      await expect(find(node, clientSessionId)).rejects.toMatchObject(NOT_FOUND);
    }
  });

  it('comes once', async () => {
    const { session } = await open();
    await Promise.all(nodes.map(({ aggregates }) => aggregates.end(session)));
    const { endedAt } = await rowOf(session);
    const announced = listen();
    await at(nodes, 0).aggregates.end(session);
    expect((await rowOf(session)).endedAt).toEqual(endedAt);
    expect(announced()).toEqual([]);
  });

  it('leaves no session behind it open that begins at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { session } = await open();
      const adopting = world.routes
        .slice(0, 2)
        .map((route, index) =>
          at(nodes, index).behind.findOrBegin(
            route,
            at(world.callers, 0),
            session.id,
            begin('a'),
            true,
          ),
        );
      const results = await Promise.allSettled([
        ...adopting,
        at(nodes, round % 2).aggregates.end(session),
      ]);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject(NOT_FOUND);
      }
      const where = { aggregateSessionId: session.id, state: 'open' } as const;
      expect(await store.db.session.count({ where })).toBe(0);
    }
  });

  it.runIf(testDatabaseKind === 'postgresql')(
    'waits for a session behind it that is being stored, and closes it too',
    async () => {
      const { session } = await open();
      const route = at(world.routes, 0);
      let unlock = () => {};
      const other = await store.openAnotherNode();
      await new Promise<void>((isLocked) => {
        void other.transaction(async ({ db }) => {
          await db.$queryRaw`SELECT "id" FROM "Integration" WHERE "id" = ${route.integrationId}::uuid FOR UPDATE`;
          isLocked();
          await new Promise<void>((resolve) => (unlock = resolve));
        });
      });
      const caller = at(world.callers, 0);
      const adopting = at(nodes, 0).behind.findOrBegin(route, caller, session.id, begin('a'), true);
      await expect.poll(countWaiting).toBe(1);
      let hasEnded = false;
      const ending = at(nodes, 1)
        .aggregates.end(session)
        .finally(() => (hasEnded = true));
      await setTimeout(200);
      expect(hasEnded).toBe(false);
      unlock();
      await Promise.all([adopting, ending]);
      const rows = await store.db.session.findMany({ where: { aggregateSessionId: session.id } });
      expect(rows.map(({ state }) => state)).toEqual(['closed']);
    },
  );

  it.runIf(testDatabaseKind === 'postgresql')(
    'is heard on a node with another connection',
    async () => {
      nodes.push(openNode(await store.openAnotherNode(), { legacyTtl: TTL }));
      const { session, clientSessionId } = await open();
      await find(2, clientSessionId);
      await at(nodes, 0).aggregates.end(session);
      await expect
        .poll(() => find(2, clientSessionId).catch(({ code }) => code))
        .toBe('session_not_found');
    },
  );
});

describe('beyond 1,000 open aggregate sessions of one person', () => {
  async function addOpen(count: number, caller: number): Promise<string[]> {
    const { organizationId, applicationId } = placeOf();
    const { subjectId, bearerId } = at(world.callers, caller);
    const ids = Array.from({ length: count }, () => createId().id);
    await store.db.$executeRaw`
      INSERT INTO "AggregateSession" ("id", "organizationId", "applicationId", "userId", "tokenId",
        "hash", "hello", "createdAt", "lastUsedAt")
      SELECT n."id", ${organizationId}::uuid, ${applicationId}::uuid, ${subjectId}::uuid,
        ${bearerId}::uuid, sha256(n."id"::text::bytea), '{}', now(),
        now() - n."at" * interval '0.1 seconds'
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS n("id", "at")`;
    return ids;
  }

  const countOpen = (ids: readonly string[]) =>
    store.db.aggregateSession.count({ where: { id: { in: [...ids] }, endedAt: null } });

  it('those that were unused for longest end', async () => {
    const older = await addOpen(1_000, 0);
    const others = await addOpen(1_000, 1);
    const opened = await Promise.all(Array.from({ length: 100 }, () => open()));
    await expect.poll(() => countOpen(older)).toBe(900);
    expect(await countOpen(older.slice(0, 900))).toBe(900);
    expect(await countOpen(others)).toBe(1_000);
    expect(await countOpen(opened.map(({ session }) => session.id))).toBe(100);
  });
});

describe('the session of a token', () => {
  const ofToken = async (node = 0, caller = 0) =>
    at(nodes, node).aggregates.ofToken(placeOf(), at(world.callers, caller), HELLO);

  it('is one for all nodes, and no client can name it', async () => {
    const [first, second] = await Promise.all([ofToken(0), ofToken(1)]);
    expect(second).toEqual(first);
    expect((await ofToken(0, 1)).id).not.toBe(first.id);
    const { applicationId } = placeOf();
    const name = `${applicationId}\n${at(world.callers, 0).bearerId}`;
    expect((await rowOf(first)).hash).toEqual(new Uint8Array(hash('sha256', name, 'buffer')));
    await expect(find(0, name)).rejects.toMatchObject(NOT_FOUND);
  });

  it('begins again once it has ended or expired', async () => {
    const first = await ofToken();
    await at(nodes, 1).aggregates.end(first);
    await expect.poll(async () => (await ofToken()).id).not.toBe(first.id);
    const second = await ofToken();
    await pass(TTL + 1);
    await silence(second, TTL + 1);
    const third = await ofToken();
    expect(third.id).not.toBe(second.id);
    expect((await rowOf(second)).endedAt).not.toBeNull();
    expect(await ofToken(1)).toEqual(third);
  });
});
