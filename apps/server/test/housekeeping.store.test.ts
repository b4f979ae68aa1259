import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TokenKind } from '../src/generated/prisma/enums.ts';
import { sweep } from '../src/housekeeping.ts';
import { createId, smallestIdAt } from '../src/platform/ids.ts';
import { countSessions } from '../src/sessions/count-sessions.ts';
import { findSessions } from '../src/sessions/find-sessions.ts';
import { defaultWindows } from '../src/sessions/windows.ts';
import { at, createWorld, openNode, type World } from './sessions/fixture.ts';
import { testDatabaseKind } from './support/database.ts';
import { insertGrant, insertOauthToken } from './support/grants.ts';
import { useStore } from './support/store.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const NODE = '0190a5c0-0000-7000-8000-000000000001';

const store = useStore();
let world: World;
beforeEach(async () => {
  world = await createWorld(store);
});

const since = (milliseconds: number) => new Date(Date.now() - milliseconds);

/** An id that was made then. */
const idAt = (time: Date) => smallestIdAt(time.getTime()).slice(0, 18) + randomUUID().slice(18);

/** @param silence milliseconds since the session's beginning, which is its last activity */
async function openSilent(silence: number, route = at(world.routes, 0)): Promise<string> {
  const node = openNode(store);
  const { session } = await node.legacy.open(route, at(world.callers, 0), 'upstream');
  await node.close();
  const lastActivityAt = since(silence);
  const data = { id: idAt(lastActivityAt), lastActivityAt };
  return (await store.db.session.update({ where: { id: session.id }, data })).id;
}

/** Something is in flight on a node. @param left milliseconds until its lease ends */
async function addPresence(sessionId: string, left: number): Promise<void> {
  const leaseUntil = new Date(Date.now() + left);
  const applicationId = at(world.applicationIds, 0);
  await store.db.sessionPresence.create({
    data: { sessionId, nodeId: NODE, applicationId, leaseUntil },
  });
}

async function stateOf(id: string): Promise<string> {
  return (await store.db.session.findUniqueOrThrow({ where: { id } })).state;
}

/** @param ago milliseconds since the sessions ended, @param lasted milliseconds from their beginning to their end */
async function addEnded(
  state: 'closed' | 'revoked',
  ago: number,
  { count = 1, lasted = 0 } = {},
): Promise<void> {
  const { organizationId, applicationId, integrationId, attachmentId } = at(world.routes, 0);
  const { subjectId, bearerId } = at(world.callers, 0);
  const endedAt = since(ago);
  const begun = idAt(since(ago + lasted)).slice(0, 18);
  await store.db.$executeRaw`
    INSERT INTO "Session" ("id", "organizationId", "applicationId", "integrationId",
      "attachmentId", "userId", "tokenId", "era", "state", "createdAt", "lastActivityAt", "endedAt")
    SELECT (${begun} || substr(gen_random_uuid()::text, 19))::uuid, ${organizationId}::uuid, ${applicationId}::uuid,
      ${integrationId}::uuid, ${attachmentId}::uuid, ${subjectId}::uuid, ${bearerId}::uuid, 'modern',
      ${state}::"SessionState", ${endedAt}, ${endedAt}, ${endedAt}
    FROM generate_series(1, ${count})`;
}

async function addToken(kind: TokenKind, expiresAt: Date | null): Promise<string> {
  const { organizationId } = at(world.routes, 0);
  const { subjectId: userId } = at(world.callers, 0);
  const hash = randomBytes(32);
  const data = { ...createId(), organizationId, userId, kind, name: kind, hash, expiresAt };
  return (await store.db.token.create({ data })).id;
}

/** @param left milliseconds until it expires */
function addGrant(left: number) {
  const expiresAt = new Date(Date.now() + left);
  const { subjectId: userId } = at(world.callers, 0);
  return insertGrant({ store }, at(world.applicationIds, 0), { userId, expiresAt });
}

/** Those of the application, in the order in which they were made. */
async function idsOf(table: 'grant' | 'oauthToken'): Promise<string[]> {
  const query = {
    where: { applicationId: at(world.applicationIds, 0) },
    orderBy: { id: 'asc' },
    select: { id: true },
  } as const;
  const { db } = store;
  const rows = await (table === 'grant' ? db.grant.findMany(query) : db.oauthToken.findMany(query));
  return rows.map(({ id }) => id);
}

/** @param ended milliseconds since its end, unless it is open */
async function addAggregate(unused: number, ended?: number): Promise<string> {
  const { organizationId, applicationId } = at(world.routes, 0);
  const { subjectId: userId, bearerId: tokenId } = at(world.callers, 0);
  const lastUsedAt = since(unused);
  const endedAt = ended === undefined ? null : since(ended);
  const id = idAt(since(60 * DAY));
  const place = { organizationId, applicationId, userId, tokenId };
  const data = { id, ...place, hash: randomBytes(32), hello: '{}', lastUsedAt, endedAt };
  await store.db.aggregateSession.create({ data: { ...data, createdAt: lastUsedAt } });
  return id;
}

const sessionStates = async () => {
  const where = { applicationId: at(world.applicationIds, 0) };
  const rows = await store.db.session.findMany({ where, orderBy: { lastActivityAt: 'asc' } });
  return rows.map(({ state }) => state);
};

describe('a sweep', () => {
  it('marks sessions as expired an hour after they did', async () => {
    const expired = await openSilent(25 * HOUR + 60_000);
    const expiredJustNow = await openSilent(24 * HOUR + 60_000);
    const open = await openSilent(23 * HOUR);
    await sweep(store.db, defaultWindows);
    expect(await stateOf(expired)).toBe('expired');
    expect(await stateOf(expiredJustNow)).toBe('open');
    expect(await stateOf(open)).toBe('open');
  });

  it('changes no count and no list', async () => {
    await openSilent(26 * HOUR);
    const reader = openNode(store);
    const { organizationId, applicationId } = at(world.routes, 0);
    const page = { filter: { organizationId, applicationId }, before: undefined, take: 10 };
    const seen = async () => [
      await countSessions(store.db, [applicationId], reader.admin),
      (await findSessions(store.db, page, reader.admin)).rows,
    ];
    const before = await seen();
    await sweep(store.db, defaultWindows);
    expect(await seen()).toEqual(before);
    expect(before[1]).toMatchObject([{ state: 'expired', endedAt: null }]);
    await reader.close();
  });

  it('marks those of every application that has open sessions', async () => {
    const [first, last] = [at(world.routes, 0), at(world.routes, world.routes.length - 1)];
    expect(first.applicationId).not.toBe(last.applicationId);
    const expired = [await openSilent(26 * HOUR, first), await openSilent(26 * HOUR, last)];
    await sweep(store.db, defaultWindows);
    for (const id of expired) expect(await stateOf(id)).toBe('expired');
  });

  it('leaves a silent session open while a stream is in flight', async () => {
    const id = await openSilent(48 * HOUR);
    await addPresence(id, 5_000);
    await sweep(store.db, defaultWindows);
    expect(await stateOf(id)).toBe('open');
  });

  it('removes the presence of nodes that are gone', async () => {
    const [gone, slow] = [await openSilent(0), await openSilent(0)];
    await addPresence(gone, -HOUR);
    await addPresence(slow, -60_000);
    await sweep(store.db, defaultWindows);
    expect(await store.db.sessionPresence.findMany({ select: { sessionId: true } })).toContainEqual(
      {
        sessionId: slow,
      },
    );
    expect(await store.db.sessionPresence.count({ where: { sessionId: gone } })).toBe(0);
  });

  it('deletes what is kept of limits an hour after its last use', async () => {
    const rows = { old: since(HOUR + 60_000), young: since(HOUR - 60_000) };
    for (const [id, time] of Object.entries(rows)) {
      await store.db.callBudget.create({ data: { id, minute: time, used: 1, taken: 1 } });
      await store.db.callSlot.create({ data: { id, leases: {}, until: time } });
    }
    await sweep(store.db, defaultWindows);
    const select = { id: true };
    expect(await store.db.callBudget.findMany({ select })).toEqual([{ id: 'young' }]);
    expect(await store.db.callSlot.findMany({ select })).toEqual([{ id: 'young' }]);
  });

  it('deletes every stored response older than a day, and keeps the others', async () => {
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

  it('deletes sessions a month after they ended, in as many batches as it takes', async () => {
    await addEnded('closed', 31 * DAY, { count: 5_001 });
    await addEnded('revoked', 31 * DAY, { count: 5_001 });
    await addEnded('revoked', 29 * DAY, { lasted: 30 * DAY });
    await addEnded('closed', 0);
    await sweep(store.db, defaultWindows);
    expect(await sessionStates()).toEqual(['revoked', 'closed']);
  });

  it('deletes sessions a month after they expired, and no open ones', async () => {
    await openSilent(32 * DAY);
    await openSilent(30 * DAY);
    await addPresence(await openSilent(40 * DAY), 5_000);
    await sweep(store.db, defaultWindows);
    expect(await sessionStates()).toEqual(['open', 'expired']);
    const longer = { ...defaultWindows, legacyTtl: 24 * DAY };
    await openSilent(40 * DAY);
    await sweep(store.db, longer);
    expect(await sessionStates()).toEqual(['open', 'expired', 'expired']);
  });

  it('keeps the row that blocks a token', async () => {
    await addEnded('revoked', 31 * DAY);
    await store.db.session.updateMany({ data: { refusedUntil: new Date(Date.now() + HOUR) } });
    await sweep(store.db, defaultWindows);
    expect(await sessionStates()).toEqual(['revoked']);
    await store.db.session.updateMany({ data: { refusedUntil: new Date(Date.now() - HOUR) } });
    await sweep(store.db, defaultWindows);
    expect(await sessionStates()).toEqual([]);
  });

  it('lowers no counter by what it deletes', async () => {
    const reader = openNode(store);
    const applicationId = at(world.applicationIds, 0);
    await openSilent(32 * DAY);
    await openSilent(HOUR);
    await sweep(store.db, defaultWindows);
    expect(await sessionStates()).toEqual(['open']);
    const counts = (await countSessions(store.db, [applicationId], reader.admin)).get(
      applicationId,
    );
    expect(counts).toEqual({ active: 0, idle: 1, live: 0, total: 2 });
    await reader.close();
  });

  it('deletes aggregate sessions a month after they ended or expired, and no others', async () => {
    await addAggregate(31 * DAY + HOUR);
    await addAggregate(31 * DAY, 30 * DAY + HOUR);
    const kept = [
      await addAggregate(31 * DAY - HOUR),
      await addAggregate(0),
      await addAggregate(30 * DAY, 30 * DAY - HOUR),
    ];
    await sweep(store.db, defaultWindows);
    const left = await store.db.aggregateSession.findMany();
    expect(left.map(({ id }) => id).sort()).toEqual(kept.sort());
  });

  it('deletes tokens and invitations a month after they expired, and no others', async () => {
    await addToken('personal', since(31 * DAY));
    await addToken('invitation', since(31 * DAY));
    const kept = [
      await addToken('personal', since(29 * DAY)),
      await addToken('personal', since(-DAY)),
      await addToken('personal', null),
    ];
    await sweep(store.db, defaultWindows);
    const { subjectId: userId } = at(world.callers, 0);
    const left = await store.db.token.findMany({ where: { userId }, orderBy: { id: 'asc' } });
    expect(left.map(({ id }) => id)).toEqual(kept);
  });

  it('deletes expired grants with all of their tokens, and no others', async () => {
    const gone = await addGrant(-HOUR);
    const kept = await addGrant(HOUR);
    await insertOauthToken({ store }, gone, 'refresh', { consumedAt: since(DAY) });
    await insertOauthToken({ store }, gone, 'access');
    const token = await insertOauthToken({ store }, kept, 'access');
    await sweep(store.db, defaultWindows);
    expect(await idsOf('grant')).toEqual([kept.id]);
    expect(await idsOf('oauthToken')).toEqual([token]);
  });

  it('deletes expired OAuth tokens, and keeps used ones as long as their grant', async () => {
    const grant = await addGrant(HOUR);
    const expired = { expiresAt: since(HOUR) };
    const used = { ...expired, consumedAt: since(DAY) };
    for (const kind of ['code', 'access', 'refresh'] as const) {
      await insertOauthToken({ store }, grant, kind, expired);
    }
    const { applicationId, organizationId } = grant;
    await insertOauthToken({ store }, { applicationId, organizationId }, 'access', expired);
    const kept = [
      await insertOauthToken({ store }, grant, 'code', used),
      await insertOauthToken({ store }, grant, 'refresh', used),
      await insertOauthToken({ store }, grant, 'access'),
    ];
    await sweep(store.db, defaultWindows);
    expect(await idsOf('oauthToken')).toEqual(kept);
  });

  it('erases the response that a retry would get, after a minute', async () => {
    const grant = await addGrant(HOUR);
    const sealed = { sealed: Buffer.from('response'), keyId: 'k1' };
    const old = { ...sealed, consumedAt: since(61_000) };
    const fresh = { ...sealed, consumedAt: since(10_000) };
    const ids = [
      await insertOauthToken({ store }, grant, 'refresh', old),
      await insertOauthToken({ store }, grant, 'refresh', fresh),
    ];
    await sweep(store.db, defaultWindows);
    const rows = await store.db.oauthToken.findMany({
      where: { id: { in: ids } },
      orderBy: { id: 'asc' },
    });
    expect(rows.map(({ sealed: left, keyId }) => [left, keyId])).toEqual([
      [null, null],
      [expect.anything(), 'k1'],
    ]);
  });

  it('deletes expired records of authorization requests', async () => {
    for (const [id, left] of [
      ['gone', -HOUR],
      ['kept', HOUR],
    ] as const) {
      const expiresAt = new Date(Date.now() + left);
      const data = { id, payload: {}, createdAt: since(DAY), expiresAt };
      await store.db.oauthState.create({ data });
    }
    await sweep(store.db, defaultWindows);
    expect((await store.db.oauthState.findMany()).map(({ id }) => id)).toEqual(['kept']);
  });

  it('deletes sign-in links once they have expired, and browser sessions after 7 days of silence', async () => {
    const { organizationId } = at(world.routes, 0);
    const { subjectId: userId } = at(world.callers, 0);
    const row = () => ({ ...createId(), organizationId, userId, hash: randomBytes(32) });
    const from = (milliseconds: number) => new Date(Date.now() + milliseconds);
    await store.db.signInLink.createMany({
      data: [
        { ...row(), purpose: 'reset', expiresAt: from(-60_000) },
        { ...row(), purpose: 'invitation', expiresAt: from(60_000) },
      ],
    });
    await store.db.browserSession.createMany({
      data: [
        { ...row(), lastSeenAt: from(-7 * DAY - 60_000) },
        { ...row(), lastSeenAt: from(-7 * DAY + 60_000) },
      ],
    });
    await sweep(store.db, defaultWindows);
    const links = await store.db.signInLink.findMany({ where: { userId } });
    expect(links.map(({ purpose }) => purpose)).toEqual(['invitation']);
    expect(await store.db.browserSession.count({ where: { userId } })).toBe(1);
  });

  it('deletes links and attempts to connect once they have expired', async () => {
    const { organizationId, integrationId } = at(world.routes, 0);
    const { subjectId: userId } = at(world.callers, 0);
    const row = (left: number) => ({
      ...{ ...createId(), organizationId, integrationId, userId },
      expiresAt: new Date(Date.now() + left),
    });
    const attempt = (left: number) => ({
      ...{ ...row(left), stateHash: randomBytes(32), browserHash: randomBytes(32) },
      ...{ validationEpoch: 0, payload: {} },
    });
    const [keptLink, keptAttempt] = [row(60_000), attempt(60_000)];
    await store.db.connectLink.createMany({
      data: [row(-60_000), keptLink].map((data) => ({ ...data, hash: randomBytes(32) })),
    });
    await store.db.connectAttempt.createMany({ data: [attempt(-60_000), keptAttempt] });
    await sweep(store.db, defaultWindows);
    const where = { userId };
    const links = await store.db.connectLink.findMany({ where });
    const attempts = await store.db.connectAttempt.findMany({ where });
    expect([links, attempts].map((rows) => rows.map(({ id }) => id))).toEqual([
      [keptLink.id],
      [keptAttempt.id],
    ]);
  });

  it('deletes answers that the node which has asked has not taken in time', async () => {
    const node = openNode(store);
    const { organizationId } = at(world.routes, 0);
    const place = { organizationId, applicationId: at(world.applicationIds, 0) };
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
    const { session } = await node.aggregates.open(place, at(world.callers, 0), hello);
    const gone = openNode(store);
    const asked = [1, 2].map(() => gone.questions.ask(session, () => {}).id);
    await gone.close();
    for (const id of asked) await node.questions.answer(session, id, Buffer.from('{}'));
    const { forwardedAnswer } = store.db;
    const [expired, kept] = await forwardedAnswer.findMany({ select: { id: true } });
    const data = { expiresAt: since(60_000) };
    await forwardedAnswer.update({ where: { id: expired?.id ?? '' }, data });
    await sweep(store.db, defaultWindows);
    expect(await forwardedAnswer.findMany({ select: { id: true } })).toEqual([kept]);
    await node.close();
  });

  it('forgets what became of revoked tokens after a week', async () => {
    const { organizationId, integrationId } = at(world.routes, 0);
    const { subjectId: userId } = at(world.callers, 0);
    const row = (finishedAt: Date | null) => ({
      ...{ ...createId(), organizationId, integrationId, userId },
      ...{ destination: '', status: 'revoked' as const, finishedAt },
    });
    const kept = [row(since(6 * DAY)), row(null)];
    await store.db.upstreamRevocation.createMany({ data: [row(since(8 * DAY)), ...kept] });
    await sweep(store.db, defaultWindows);
    const left = await store.db.upstreamRevocation.findMany({ orderBy: { id: 'asc' } });
    expect(left.map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
  });

  it('forgets dynamic clients that nobody has authorized for 90 days', async () => {
    const row = { name: 'Inspector', redirectUris: [], createdAt: since(100 * DAY) };
    await store.db.dynamicClient.createMany({
      data: [
        { ...row, id: 'dyn_gone', lastUsedAt: since(90 * DAY + HOUR) },
        { ...row, id: 'dyn_kept', lastUsedAt: since(90 * DAY - HOUR) },
      ],
    });
    await sweep(store.db, defaultWindows);
    expect((await store.db.dynamicClient.findMany()).map(({ id }) => id)).toEqual(['dyn_kept']);
  });

  it('makes one statement for each kind of row when nothing is due', async () => {
    await sweep(store.db, defaultWindows);
    store.statements();
    await sweep(store.db, defaultWindows);
    expect(store.statements()).toHaveLength(20);
  });

  it.runIf(testDatabaseKind === 'postgresql')('may run on several nodes at once', async () => {
    await addEnded('closed', 31 * DAY, { count: 12_000 });
    await openSilent(0);
    await Promise.all(Array.from({ length: 4 }, () => sweep(store.db, defaultWindows)));
    expect(await sessionStates()).toEqual(['open']);
  });
});
