import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store, Tx } from '../../src/platform/database/store.ts';
import { countSessions } from '../../src/sessions/count-sessions.ts';
import { endSessions, revokeSession } from '../../src/sessions/end-sessions.ts';
import {
  revokeAndCount,
  revokeSessionsOfApplication,
  revokeSessionsOfAttachments,
  revokeSessionsOfConnection,
  revokeSessionsOfIntegration,
  revokeSessionsOfUser,
} from '../../src/sessions/revocation.ts';
import {
  type AggregateSession,
  type OpenSession,
  SessionBehindRevoked,
  type SessionCaller,
  type Sessions,
} from '../../src/sessions/sessions.ts';
import { useStoppedClock } from '../support/clock.ts';
import { testDatabaseKind } from '../support/database.ts';
import { TESTER } from '../support/events.ts';
import { useStore } from '../support/store.ts';
import { at, createWorld, openNode, type World } from './fixture.ts';

const NOT_FOUND = { code: 'session_not_found' };
const TTL = 600_000;

const store = useStore();
const clock = useStoppedClock();
let world: World;
let nodes: Sessions[];
let session: AggregateSession;

beforeEach(async () => {
  world = await createWorld(store);
  nodes = [openNode(store, { legacyTtl: TTL }), openNode(store, { legacyTtl: TTL })];
  session = await openAggregate();
  return () => Promise.all(nodes.map((node) => node.close()));
});

/** Closed with the others. */
function openAnother(on: Store = store): Sessions {
  const node = openNode(on, { legacyTtl: TTL });
  nodes.push(node);
  return node;
}

const routeOf = (index = 0) => at(world.routes, index);
const callerOf = (index = 0) => at(world.callers, index);

async function openAggregate(caller = callerOf()): Promise<AggregateSession> {
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} };
  return (await at(nodes, 0).aggregates.open(routeOf(), caller, hello)).session;
}

/** An upstream that counts what begins, and knows what was discarded. */
function upstream() {
  let begun = 0;
  const discarded: (string | undefined)[] = [];
  const begin = vi.fn(async () => {
    begun += 1;
    const upstreamSessionId = `upstream-${begun}`;
    return { upstreamSessionId, discard: async () => void discarded.push(upstreamSessionId) };
  });
  return { begin, discarded };
}

const adopt = (node: number, { begin } = upstream(), route = routeOf(), caller = callerOf()) =>
  at(nodes, node).behind.findOrBegin(route, caller, session.id, begin, true);
const peek = (node: number, route = routeOf(), caller = callerOf()) =>
  at(nodes, node).behind.peek(route, caller, session.id);
const isBegun = (node: number, caller: SessionCaller) =>
  at(nodes, node).behind.isBegun(routeOf(), caller, session.id);
const rowsBehind = () =>
  store.db.session.findMany({ where: { aggregateSessionId: session.id }, orderBy: { id: 'asc' } });
const statesBehind = async () => (await rowsBehind()).map(({ state }) => state);

async function pass(milliseconds: number): Promise<void> {
  clock.pass(milliseconds);
  await expect.poll(() => store.changes.isFresh()).toBe(true);
}

const silence = ({ id }: OpenSession, milliseconds: number) =>
  store.db.$executeRaw`
    UPDATE "Session"
    SET "lastActivityAt" = now() - ${milliseconds}::float8 * interval '1 millisecond'
    WHERE "id" = ${id}::uuid`;

describe('the session of an attachment behind an aggregate session', () => {
  it('begins when it is first needed, and is one on every node', async () => {
    const { begin, discarded } = upstream();
    expect(peek(0)).toBeUndefined();
    const first = await adopt(0, { begin, discarded });
    expect(first).toMatchObject({
      ...{ era: 'legacy', upstreamSessionId: 'upstream-1' },
      ...{ attachmentId: routeOf().attachmentId, subjectId: callerOf().subjectId },
    });
    expect(await adopt(1, { begin, discarded })).toMatchObject({
      ...{ id: first.id, upstreamSessionId: 'upstream-1' },
    });
    expect(begin).toHaveBeenCalledTimes(1);
    expect(discarded).toEqual([]);
  });

  it('is stored as others are, without a hash', async () => {
    await adopt(0);
    const [row, ...others] = await rowsBehind();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ hash: null, era: 'legacy', state: 'open' });
    expect(Buffer.from(row?.sealed ?? []).toString('latin1')).not.toContain('upstream-1');
    const { applicationId } = routeOf();
    const counts = (await countSessions(store.db, [applicationId], at(nodes, 1).admin)).get(
      applicationId,
    );
    expect(counts).toMatchObject({ active: 1, total: 1 });
  });

  it('is found in memory from then on, without a statement', async () => {
    const adopted = await adopt(0);
    store.statements();
    expect(peek(0)).toBe(adopted);
    expect(await adopt(0)).toBe(adopted);
    expect(store.statements()).toEqual([]);
  });

  it('is another one for each attachment, and for each aggregate session', async () => {
    const first = await adopt(0);
    expect(peek(0, routeOf(1))).toBeUndefined();
    const second = await adopt(0, upstream(), routeOf(1));
    session = await openAggregate();
    expect(peek(0)).toBeUndefined();
    const third = await adopt(0);
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
  });

  it('is also that of an upstream that issues no ids', async () => {
    const begin = async () => ({ upstreamSessionId: undefined, discard: async () => {} });
    const adopted = await at(nodes, 0).behind.findOrBegin(
      routeOf(),
      callerOf(),
      session.id,
      begin,
      true,
    );
    expect(adopted).toMatchObject({ era: 'legacy', upstreamSessionId: undefined });
    expect(await adopt(1)).toMatchObject({ id: adopted.id, upstreamSessionId: undefined });
  });

  it('belongs to its person', async () => {
    const stranger = callerOf(1);
    const unused = upstream();
    await expect(adopt(0, unused, routeOf(), stranger)).rejects.toMatchObject(NOT_FOUND);
    expect(unused.discarded).toEqual(['upstream-1']);
    expect(await rowsBehind()).toEqual([]);
    await adopt(0);
    expect(peek(0, routeOf(), stranger)).toBeUndefined();
    for (const node of [0, 1]) {
      expect(await isBegun(node, stranger)).toBe(false);
      await expect(adopt(node, unused, routeOf(), stranger)).rejects.toMatchObject(NOT_FOUND);
    }
    expect(peek(0, routeOf(), { ...callerOf(), bearerId: randomUUID() })).toBeDefined();
    expect(await isBegun(1, callerOf())).toBe(true);
  });

  it('cannot be named by a client', async () => {
    await adopt(0);
    const { attachmentId } = routeOf();
    for (const separator of [':', '', ' ']) {
      expect(at(nodes, 0).legacy.has(`${session.id}${separator}${attachmentId}`)).toBe(false);
    }
  });

  it('is one at most: the database refuses a second one', async () => {
    await adopt(0);
    const copying = store.db.$executeRaw`
      INSERT INTO "Session" ("id", "organizationId", "applicationId", "integrationId",
        "attachmentId", "userId", "tokenId", "era", "createdAt", "lastActivityAt", "aggregateSessionId")
      SELECT ${randomUUID()}::uuid, "organizationId", "applicationId", "integrationId",
        "attachmentId", "userId", "tokenId", "era", "createdAt", "lastActivityAt", "aggregateSessionId"
      FROM "Session" WHERE "aggregateSessionId" = ${session.id}::uuid`;
    await expect(copying).rejects.toThrow(/unique|23505/i);
  });
});

describe('requests that need it at the same moment', () => {
  it('share one beginning on one node', async () => {
    const { begin, discarded } = upstream();
    const adopted = await Promise.all(
      Array.from({ length: 8 }, () => adopt(0, { begin, discarded })),
    );
    expect(new Set(adopted).size).toBe(1);
    expect(begin).toHaveBeenCalledTimes(1);
    expect(await rowsBehind()).toHaveLength(1);
  });

  it('share a failure too, and the next one begins again', async () => {
    const begin = vi.fn(() => Promise.reject(new Error('away')));
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        at(nodes, 0).behind.findOrBegin(routeOf(), callerOf(), session.id, begin, true),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(begin).toHaveBeenCalledTimes(1);
    expect(await adopt(0)).toBeDefined();
  });

  /** Begins on each of them before one is stored. */
  async function race(racing: readonly Sessions[]) {
    const discarded: string[] = [];
    const waiting: (() => void)[] = [];
    const adopted = await Promise.all(
      racing.map((node, index) =>
        node.behind.findOrBegin(
          routeOf(),
          callerOf(),
          session.id,
          async () => {
            const upstreamSessionId = `upstream-${index}`;
            await new Promise<void>((resolve) => {
              waiting.push(resolve);
              if (waiting.length === racing.length) for (const go of waiting) go();
            });
            const discard = async () => void discarded.push(upstreamSessionId);
            return { upstreamSessionId, discard };
          },
          true,
        ),
      ),
    );
    return { adopted, discarded };
  }

  async function expectOne(racing: readonly Sessions[]): Promise<void> {
    const { adopted, discarded } = await race(racing);
    expect(new Set(adopted.map(({ id }) => id)).size).toBe(1);
    const used = new Set(adopted.map(({ upstreamSessionId }) => upstreamSessionId));
    expect(used.size).toBe(1);
    expect(discarded).toHaveLength(racing.length - 1);
    expect(discarded).not.toContain([...used][0]);
    expect(await statesBehind()).toEqual(['open']);
  }

  it('are answered with the one that was stored, whichever node began it', () =>
    expectOne([...nodes, openAnother(), openAnother()]));

  it.runIf(testDatabaseKind === 'postgresql')('also on nodes with other connections', async () => {
    const others = [await store.openAnotherNode(), await store.openAnotherNode()];
    await expectOne([at(nodes, 0), ...others.map((other) => openAnother(other))]);
  });
});

describe('after its end', () => {
  it('another one begins, on any node', async () => {
    const first = await adopt(0);
    await adopt(1);
    await at(nodes, 1).legacy.end(first);
    for (const node of [0, 1]) expect(peek(node)).toBeUndefined();
    const second = await adopt(0);
    expect(second.id).not.toBe(first.id);
    expect(await adopt(1)).toMatchObject({ id: second.id });
    expect(await statesBehind()).toEqual(['closed', 'open']);
  });

  it('by silence it is marked as expired, and another one begins', async () => {
    for (const node of [0, 1]) {
      const expired = await adopt(0);
      await pass(TTL + 1);
      await silence(expired, TTL + 1);
      expect(peek(0)).toBeUndefined();
      // The second time on a node that has it not in memory.
      const next = await adopt(node);
      expect(next.id).not.toBe(expired.id);
      const row = await store.db.session.findUniqueOrThrow({ where: { id: expired.id } });
      expect(row).toMatchObject({ state: 'expired', endedAt: null, sealed: null });
      expect(await adopt(0)).toMatchObject({ id: next.id });
    }
  });

  it('by silence and housekeeping it is dropped from memory too', async () => {
    const expired = await adopt(0);
    await pass(TTL + 1);
    const where = { id: expired.id };
    await store.db.session.update({ where, data: { state: 'expired', sealed: null } });
    const next = await adopt(0);
    expect(next.id).not.toBe(expired.id);
    expect(peek(0)).toBe(next);
  });

  it('does not end by a silence that only this node has noticed', async () => {
    const adopted = await adopt(0);
    await pass(TTL + 1);
    await silence(adopted, 0);
    expect(peek(0)).toBeUndefined();
    expect(await adopt(0)).toBe(adopted);
    expect(peek(0)).toBe(adopted);
  });

  it('another one begins where its integration has moved to', async () => {
    await adopt(0);
    const moved = { ...routeOf(), destination: 'https://other.example.com' };
    const next = await adopt(1, upstream(), moved);
    expect(await statesBehind()).toEqual(['closed', 'open']);
    expect(await adopt(0, upstream(), moved)).toMatchObject({ id: next.id });
  });

  it('of the aggregate session no other one begins', async () => {
    await at(nodes, 1).aggregates.end(session);
    const { begin, discarded } = upstream();
    await expect(adopt(0, { begin, discarded })).rejects.toMatchObject(NOT_FOUND);
    expect(discarded).toEqual(['upstream-1']);
    expect(await rowsBehind()).toEqual([]);
  });
});

const APART: readonly [string, (tx: Tx, adopted: OpenSession) => Promise<unknown>][] = [
  [
    'by its id',
    (tx, { id, applicationId }) =>
      revokeSession(tx, { id, applicationId }, at(nodes, 1).admin, TESTER),
  ],
  [
    'by a filter',
    (tx, { applicationId }) => {
      const { organizationId } = routeOf();
      return endSessions(tx, { organizationId, applicationId }, at(nodes, 1).admin, TESTER);
    },
  ],
];

describe.each(APART)('a session that was revoked %s', (_name, revoke) => {
  it('is followed by no other one on that attachment, on any node, until it would have expired', async () => {
    const adopted = await adopt(0);
    await adopt(1);
    await store.transaction((tx) => revoke(tx, adopted));
    const { begin, discarded } = upstream();
    for (const node of [0, 1]) {
      expect(peek(node)).toBeUndefined();
      const adopting = adopt(node, { begin, discarded });
      await expect(adopting).rejects.toBeInstanceOf(SessionBehindRevoked);
    }
    expect(begin).not.toHaveBeenCalled();
    const [row] = await rowsBehind();
    const left = (row?.refusedUntil?.getTime() ?? 0) - Date.now();
    expect(Math.abs(left - TTL)).toBeLessThan(60_000);
    const data = { refusedUntil: new Date(Date.now() - 1_000) };
    await store.db.session.updateMany({ where: { id: adopted.id }, data });
    expect((await adopt(0)).id).not.toBe(adopted.id);
  });

  it('blocks no other attachment, and no other session of its person', async () => {
    const adopted = await adopt(0);
    await store.transaction((tx) => revoke(tx, adopted));
    await adopt(0, upstream(), routeOf(1));
    await at(nodes, 0).legacy.open(routeOf(), callerOf(), 'upstream');
    await at(nodes, 0).modern.findOrOpen(routeOf(), callerOf());
    session = await openAggregate();
    await adopt(0);
  });

  it('is followed by no other one that had begun before', async () => {
    const adopted = await adopt(0);
    await at(nodes, 0).legacy.end(adopted);
    const { begin, discarded } = upstream();
    const late = async () => {
      const revoked = await adopt(1);
      await store.transaction((tx) => revoke(tx, revoked));
      return begin();
    };
    const adopting = at(nodes, 0).behind.findOrBegin(routeOf(), callerOf(), session.id, late, true);
    await expect(adopting).rejects.toBeInstanceOf(SessionBehindRevoked);
    expect(discarded).toEqual(['upstream-1']);
  });
});

describe.each(APART)('a session that the clients of a token share, revoked %s', (_name, revoke) => {
  it('is followed by another one on any node', async () => {
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
    session = await at(nodes, 0).aggregates.ofToken(routeOf(), callerOf(), hello);
    const adopted = await adopt(0);
    await store.transaction((tx) => revoke(tx, adopted));
    const [first, second] = [await adopt(0), await adopt(1)];
    expect(first.id).not.toBe(adopted.id);
    expect(second.id).toBe(first.id);
  });
});

it('a session that is revoked after it has expired blocks nothing', async () => {
  const adopted = await adopt(0);
  await pass(TTL + 1);
  await silence(adopted, TTL + 1);
  const { id, applicationId } = adopted;
  await store.transaction((tx) =>
    revokeSession(tx, { id, applicationId }, at(nodes, 0).admin, TESTER),
  );
  expect((await adopt(0)).id).not.toBe(id);
});

const TOGETHER: readonly [string, (tx: Tx) => Promise<unknown>][] = [
  ['application', (tx) => revokeSessionsOfApplication(tx, routeOf().applicationId)],
  ['integration', (tx) => revokeSessionsOfIntegration(tx, routeOf().integrationId)],
  [
    'attachment',
    (tx) => revokeSessionsOfAttachments(tx, routeOf().applicationId, [routeOf().attachmentId]),
  ],
  ['person', (tx) => revokeSessionsOfUser(tx, callerOf().subjectId)],
  [
    'connection',
    (tx) => revokeSessionsOfConnection(tx, routeOf().integrationId, callerOf().subjectId),
  ],
  [
    "application's access",
    (tx) =>
      revokeAndCount(tx, { kind: 'application', id: routeOf().applicationId }, at(nodes, 1).admin),
  ],
  [
    "person's access",
    (tx) => revokeAndCount(tx, { kind: 'member', id: callerOf().subjectId }, at(nodes, 1).admin),
  ],
];

it.each(TOGETHER)(
  'a session that was revoked with its %s is followed by another one',
  async (_name, revoke) => {
    const adopted = await adopt(0);
    await store.transaction(revoke);
    expect(peek(0)).toBeUndefined();
    expect((await adopt(0)).id).not.toBe(adopted.id);
    expect(await statesBehind()).toEqual(['revoked', 'open']);
  },
);

it('while its token is blocked on the attachment no session begins', async () => {
  const { id, applicationId } = await at(nodes, 0).modern.findOrOpen(routeOf(), callerOf());
  await store.transaction((tx) =>
    revokeSession(tx, { id, applicationId }, at(nodes, 0).admin, TESTER),
  );
  const { begin, discarded } = upstream();
  await expect(adopt(0, { begin, discarded })).rejects.toMatchObject({ code: 'forbidden' });
  expect(discarded).toEqual(['upstream-1']);
});
