import { beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../src/platform/database/store.ts';
import { revokeSession } from '../../src/sessions/end-sessions.ts';
import {
  revokeSessionsOfApplication,
  revokeSessionsOfAttachments,
  revokeSessionsOfConnection,
  revokeSessionsOfIntegration,
  revokeSessionsOfToken,
  revokeSessionsOfUser,
} from '../../src/sessions/revocation.ts';
import type { OpenSession, Sessions } from '../../src/sessions/sessions.ts';
import { useStoppedClock } from '../support/clock.ts';
import { TESTER } from '../support/events.ts';
import { useStore } from '../support/store.ts';
import { at, createWorld, openNode, type World } from './fixture.ts';

// On PostgreSQL a node remembers while it is in touch with the database: here it never is late for that.
useStoppedClock();

const FORBIDDEN = { code: 'forbidden' };

const store = useStore();
let world: World;
let nodes: Sessions[];

beforeEach(async () => {
  world = await createWorld(store);
  nodes = [openNode(store), openNode(store)];
  return () => Promise.all(nodes.map((node) => node.close()));
});

const place = () => [at(world.routes, 0), at(world.callers, 0)] as const;
const check = async (node: number, [route, caller] = place()) =>
  at(nodes, node).modern.checkNotBlocked(route, caller);
const open = async (node: number, [route, caller] = place()) =>
  at(nodes, node).modern.findOrOpen(route, caller);

function revoke({ id }: OpenSession, node = 0): Promise<boolean> {
  const applicationId = at(world.applicationIds, 0);
  return store.transaction((tx) =>
    revokeSession(tx, { id, applicationId }, at(nodes, node).admin, TESTER),
  );
}

/** As if that time had passed since the revocation. */
const pass = ({ id }: OpenSession, milliseconds: number) =>
  store.db.$executeRaw`
    UPDATE "Session"
    SET "refusedUntil" = "refusedUntil" - ${milliseconds}::float8 * interval '1 millisecond'
    WHERE "id" = ${id}::uuid`;

describe('after the revocation of its modern session a token', () => {
  it('is blocked on that attachment on every node, also where it was cached as unblocked', async () => {
    await check(0);
    await check(1);
    await revoke(await open(0));
    for (const node of [0, 1]) {
      await expect(check(node)).rejects.toMatchObject(FORBIDDEN);
      await expect(open(node)).rejects.toMatchObject(FORBIDDEN);
    }
    expect(await store.db.session.count({ where: { state: 'open', ...attachment() } })).toBe(0);
  });

  it('gets a Retry-After as long as a session lasts without activity', async () => {
    await revoke(await open(0));
    const { headers } = await check(1).then(
      () => expect.fail('not blocked'),
      (error: { headers: Record<string, string> }) => error,
    );
    expect(Number(headers['Retry-After'])).toBeGreaterThan(29 * 60);
    expect(Number(headers['Retry-After'])).toBeLessThanOrEqual(30 * 60);
  });

  it('opens no legacy session there instead', async () => {
    await revoke(await open(0));
    const opening = at(nodes, 1).legacy.open(...place(), 'upstream');
    await expect(opening).rejects.toMatchObject(FORBIDDEN);
  });

  it('may go on in its legacy session', async () => {
    const { session, clientSessionId } = await at(nodes, 0).legacy.open(...place(), 'upstream');
    await revoke(await open(0));
    const found = await at(nodes, 1).legacy.require(...place(), clientSessionId);
    expect(found).toMatchObject({ id: session.id });
  });

  it('is not blocked on other attachments, nor are other tokens on this one', async () => {
    await revoke(await open(0));
    await check(0, [at(world.routes, 1), at(world.callers, 0)]);
    await open(0, [at(world.routes, 2), at(world.callers, 0)]);
    await open(0, [at(world.routes, 0), at(world.callers, 1)]);
  });

  it('begins another session when the time is over, even if it tried meanwhile', async () => {
    const revoked = await open(0);
    await revoke(revoked);
    await pass(revoked, 29 * 60_000);
    await expect(check(0)).rejects.toMatchObject(FORBIDDEN);
    await expect(open(1)).rejects.toMatchObject(FORBIDDEN);
    await pass(revoked, 60_000);
    await check(0);
    const next = await open(0);
    expect(next.id).not.toBe(revoked.id);
    expect(await open(1)).toMatchObject({ id: next.id });
  });

  it('is not blocked for longer by a second revocation', async () => {
    const revoked = await open(0);
    await revoke(revoked);
    await pass(revoked, 30 * 60_000);
    expect(await revoke(revoked, 1)).toBe(true);
    await check(0);
  });

  it('begins no session at the same moment, on any node', async () => {
    for (let round = 0; round < 5; round += 1) {
      const here = [at(world.routes, round % 4), at(world.callers, round >> 2)] as const;
      const session = await open(0, here);
      const { applicationId, attachmentId } = here[0];
      const opening = Array.from({ length: 6 }, (_, call) =>
        open(call % 2, here).catch((error: unknown) => expect(error).toMatchObject(FORBIDDEN)),
      );
      await store.transaction((tx) =>
        revokeSession(tx, { id: session.id, applicationId }, at(nodes, 1).admin, TESTER),
      );
      await Promise.all(opening);
      const where = { attachmentId, tokenId: here[1].bearerId, state: 'open' } as const;
      expect(await store.db.session.count({ where })).toBe(0);
      await expect(check(0, here)).rejects.toMatchObject(FORBIDDEN);
    }
  });
});

const together: readonly [string, (tx: Tx) => Promise<void>][] = [
  ['application', (tx) => revokeSessionsOfApplication(tx, place()[0].applicationId)],
  ['integration', (tx) => revokeSessionsOfIntegration(tx, place()[0].integrationId)],
  [
    'attachment',
    (tx) => revokeSessionsOfAttachments(tx, place()[0].applicationId, [place()[0].attachmentId]),
  ],
  ['user', (tx) => revokeSessionsOfUser(tx, place()[1].subjectId)],
  [
    'connection',
    (tx) => revokeSessionsOfConnection(tx, place()[0].integrationId, place()[1].subjectId),
  ],
  ['token', (tx) => revokeSessionsOfToken(tx, place()[1].bearerId)],
];

describe('a token is not blocked', () => {
  it.each(together)('when all sessions of its %s were revoked', async (_name, revokeAll) => {
    const first = await open(0);
    await store.transaction(revokeAll);
    await check(1);
    expect((await open(1)).id).not.toBe(first.id);
  });

  it('by the revocation of a session that had expired', async () => {
    const expired = await open(0);
    await store.db.session.update({
      where: { id: expired.id },
      data: { lastActivityAt: new Date(Date.now() - 31 * 60_000) },
    });
    expect(await revoke(expired)).toBe(true);
    await check(0);
    await open(1);
  });

  it('by the revocation of a legacy session', async () => {
    const { session } = await at(nodes, 0).legacy.open(...place(), 'upstream');
    await revoke(session);
    await check(0);
    await at(nodes, 0).legacy.open(...place(), 'upstream');
  });
});

it('checking whether a token is blocked takes one statement, and no more from then on', async () => {
  store.statements();
  await check(0);
  expect(store.statements()).toHaveLength(1);
  expect(at(nodes, 0).modern.checkNotBlocked(...place())).toBeUndefined();
  expect(store.statements()).toEqual([]);
});

function attachment() {
  return { attachmentId: at(world.routes, 0).attachmentId };
}
