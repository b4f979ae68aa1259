import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import {
  addForeignRows,
  attach,
  createApplication,
  createIntegration,
  insertSession,
} from '../applications/support.ts';
import { insertLease, insertSessions, type Place } from './support.ts';

const server = useServer();
const member = useMember(server, 'member');
const other = useMember(server, 'member');

const end = (body: unknown, token: string | null = server.owner, headers = {}) =>
  server.call('POST', '/sessions/end', { token, body, headers });

async function makePlace(): Promise<Place> {
  const { id: applicationId } = await createApplication(server);
  const integrationId = await createIntegration(server);
  await attach(server, applicationId, integrationId);
  return { applicationId, integrationId };
}

const open = ({ applicationId, integrationId }: Place, options = {}) =>
  insertSession(server, applicationId, integrationId, options);

const statesOf = async ({ applicationId }: Place) => {
  const { body } = await server.call('GET', `/applications/${applicationId}/sessions`);
  return body.items.map(({ state }: { state: string }) => state);
};

async function addPresence(sessionId: string, { applicationId }: Place): Promise<void> {
  const leaseUntil = new Date(Date.now() + 60_000);
  const presence = { sessionId, applicationId, nodeId: crypto.randomUUID(), leaseUntil };
  await server.store.db.sessionPresence.create({ data: presence });
}

const NOTHING = { sessions: 0, leases: 0, streams: 0 };

describe('POST /sessions/end', () => {
  it('requires a token', async () => {
    const filter = { applicationId: crypto.randomUUID() };
    expect((await end({ filter }, null)).status).toBe(401);
  });

  it.each([
    ['no filter', {}],
    ['an empty one', { filter: {} }],
    ['one that is nearly everything', { filter: { state: 'open', kind: 'session' } }],
    ['an unknown field', { filter: { applicationId: crypto.randomUUID(), name: 'x' } }],
    ['what is no id', { filter: { userId: '42' } }],
  ])('refuses %s', async (_, body) => {
    const place = await makePlace();
    await open(place);
    expect((await end(body)).status).toBe(400);
    expect(await statesOf(place)).toEqual(['open']);
  });

  it('says first what would end, then ends it, and nothing the second time', async () => {
    const place = await makePlace();
    const { applicationId } = place;
    const hour = 60 * 60_000;
    await open(place, { era: 'modern', silentFor: hour });
    const legacy = await open(place, { silentFor: hour });
    const streaming = await open(place, { era: 'modern', userId: member.id });
    await addPresence(streaming, place);
    const lease = await insertLease(server, place, member.id);
    const ended = { sessions: 2, leases: 1, streams: 1 };

    const preview = await end({ filter: { applicationId }, dryRun: true });
    expect([preview.status, preview.body]).toMatchObject([200, { ended, remaining: 0 }]);
    expect(preview.body.items).toMatchObject([
      { id: lease, kind: 'lease', state: 'open', applicationName: 'Assistant' },
      { id: streaming, live: true, userId: member.id },
      { id: legacy, live: false },
    ]);
    expect(await statesOf(place)).toEqual(['open', 'open', 'open', 'expired']);

    const receipt = await end({ filter: { applicationId } });
    expect([receipt.status, receipt.body]).toMatchObject([200, { ended, remaining: 0 }]);
    expect(receipt.body.items.map(({ state }: { state: string }) => state)).toEqual([
      'revoked',
      'revoked',
      'revoked',
    ]);
    expect(await statesOf(place)).toEqual(['revoked', 'revoked', 'revoked', 'expired']);
    expect((await end({ filter: { applicationId } })).body).toEqual({
      ended: NOTHING,
      remaining: 0,
      items: [],
    });
  });

  it('ends each as if it were revoked by itself: its token is blocked, and the holder of a lease', async () => {
    const place = await makePlace();
    const modern = await open(place, { era: 'modern' });
    const legacy = await open(place);
    const lease = await insertLease(server, place, member.id);
    await end({ filter: { integrationId: place.integrationId } });
    const { db } = server.store;
    const rows = await db.session.findMany({ where: { id: { in: [modern, legacy] } } });
    expect(new Map(rows.map(({ id, refusedUntil }) => [id, refusedUntil !== null]))).toEqual(
      new Map([
        [modern, true],
        [legacy, false],
      ]),
    );
    const { refusedUntil } = await db.credentialLease.findUniqueOrThrow({ where: { id: lease } });
    expect(refusedUntil?.getTime()).toBeGreaterThan(Date.now());
  });

  it('ends what matches every field of the filter alone', async () => {
    const [place, elsewhere] = [await makePlace(), await makePlace()];
    await open(place, { userId: other.id });
    await open(place, { userId: member.id });
    await insertLease(server, place, member.id);
    await open(elsewhere, { userId: member.id });
    const filter = { ...place, userId: member.id, kind: 'session' };
    expect((await end({ filter })).body.ended).toEqual({ ...NOTHING, sessions: 1 });
    expect(await statesOf(place)).toEqual(['open', 'revoked', 'open']);
    expect(await statesOf(elsewhere)).toEqual(['open']);
    const closed = { ...place, state: 'closed' };
    expect((await end({ filter: closed })).body.ended).toEqual(NOTHING);
    expect(await statesOf(place)).toEqual(['open', 'revoked', 'open']);
  });

  it('ends for a member their own, whatever they ask for', async () => {
    const place = await makePlace();
    const { applicationId } = place;
    await open(place, { userId: other.id });
    await open(place, { userId: member.id });
    const others = { filter: { userId: other.id } };
    expect((await end({ ...others, dryRun: true }, member.token)).body.ended).toEqual(NOTHING);
    expect((await end(others, member.token)).body).toEqual({
      ended: NOTHING,
      remaining: 0,
      items: [],
    });
    const { body } = await end({ filter: { applicationId } }, member.token);
    expect(body.ended).toEqual({ ...NOTHING, sessions: 1 });
    expect(await statesOf(place)).toEqual(['revoked', 'open']);
  });

  it('does not touch another organization', async () => {
    const { applicationId, integrationId, sessionId } = await addForeignRows(server);
    for (const filter of [{ applicationId }, { integrationId }]) {
      expect((await end({ filter })).body.ended).toEqual(NOTHING);
    }
    const { db } = server.store;
    expect(await db.session.findUniqueOrThrow({ where: { id: sessionId } })).toMatchObject({
      state: 'open',
    });
  });

  it('ends at most 1,000 at once, and says how many remain', async () => {
    const place = await makePlace();
    const { applicationId } = place;
    const ids = await insertSessions(server, place, 1_003);
    const filter = { applicationId };
    const preview = (await end({ filter, dryRun: true })).body;
    expect(preview).toMatchObject({ ended: { ...NOTHING, sessions: 1_003 }, remaining: 3 });
    expect(preview.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(-20).reverse());
    const first = (await end({ filter })).body;
    expect(first).toMatchObject({ ended: { ...NOTHING, sessions: 1_000 }, remaining: 3 });
    expect(first.items).toHaveLength(20);
    const second = (await end({ filter })).body;
    expect(second).toMatchObject({ ended: { ...NOTHING, sessions: 3 }, remaining: 0 });
  });

  it('counts each session once, however many ask at the same time', async () => {
    const place = await makePlace();
    await insertSessions(server, place, 40);
    const filter = { applicationId: place.applicationId };
    const answers = await Promise.all([end({ filter }), end({ filter }), end({ filter })]);
    const counts = answers.map(({ body }) => body.ended.sessions);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
  });

  it('answers a repeated key as the first time', async () => {
    const place = await makePlace();
    await open(place);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { filter: { applicationId: place.applicationId } };
    const first = await end(body, server.owner, headers);
    expect((await end(body, server.owner, headers)).body).toEqual(first.body);
    expect(first.body.ended.sessions).toBe(1);
  });
});
