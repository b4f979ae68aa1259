import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember, useStranger } from '../../support/users.ts';
import {
  addForeignRows,
  attach,
  createApplication,
  createIntegration,
  insertSession,
} from '../applications/support.ts';
import { insertLease, insertSessions, type Place } from './support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const other = useMember(server, 'member');
const stranger = useStranger(server);

const list = async (query: object = {}, token = server.owner) => {
  const search = new URLSearchParams({ ...query });
  return (await server.call('GET', `/sessions?${search}`, { token })).body;
};

const idsOf = async (query?: object, token?: string) =>
  (await list(query, token)).items.map(({ id }: { id: string }) => id);

async function makePlace(name = 'Assistant', integration = 'Tracker'): Promise<Place> {
  const { id: applicationId } = await createApplication(server, { name });
  const integrationId = await createIntegration(server, { name: integration });
  await attach(server, applicationId, integrationId);
  return { applicationId, integrationId };
}

const open = ({ applicationId, integrationId }: Place, options = {}) =>
  insertSession(server, applicationId, integrationId, options);

describe('GET /sessions', () => {
  it('requires a token', async () => {
    expect((await server.call('GET', '/sessions', { token: null })).status).toBe(401);
  });

  it('shows admins those of everyone, and a member their own', async () => {
    const place = await makePlace();
    const { applicationId } = place;
    const own = await open(place, { userId: member.id });
    const others = await open(place, { userId: other.id });
    expect(await idsOf({ applicationId })).toEqual([others, own]);
    expect(await idsOf({ applicationId }, admin.token)).toEqual([others, own]);
    expect(await idsOf({ applicationId }, member.token)).toEqual([own]);
    expect(await idsOf({ userId: member.id }, member.token)).toContain(own);
    expect(await idsOf({ userId: other.id }, member.token)).toEqual([]);
    expect(await idsOf({ applicationId, userId: other.id }, member.token)).toEqual([]);
  });

  it('names application, integration and person', async () => {
    const place = await makePlace('Editor', 'Issues');
    const id = await open(place, { userId: member.id, era: 'modern' });
    const { applicationId } = place;
    expect(await list({ applicationId })).toEqual({
      items: [
        {
          kind: 'session',
          id,
          ...place,
          applicationName: 'Editor',
          integrationName: 'Issues',
          userId: member.id,
          userName: expect.any(String),
          era: 'modern',
          state: 'open',
          live: false,
          createdAt: expect.stringMatching(/Z$/),
          lastActivityAt: expect.stringMatching(/Z$/),
          endedAt: null,
          expiresAt: null,
        },
      ],
      nextCursor: null,
    });
  });

  it('has no name for an application that acted for itself, and for who was removed', async () => {
    const place = await makePlace();
    const { applicationId } = place;
    const removed = crypto.randomUUID();
    await open(place, { userId: removed });
    await open(place, { userId: applicationId });
    expect((await list({ applicationId })).items).toMatchObject([
      { userId: null, userName: null },
      { userId: removed, userName: null },
    ]);
  });

  it('does not know the sessions of another organization', async () => {
    const foreign = await addForeignRows(server);
    const { applicationId, integrationId } = foreign;
    expect(await idsOf({ limit: 100 })).not.toContain(foreign.sessionId);
    expect(await idsOf({ applicationId })).toEqual([]);
    expect(await idsOf({ integrationId })).toEqual([]);
    expect(await idsOf({}, stranger.token)).not.toContain(await open(await makePlace()));
  });

  it('refuses what is no filter', async () => {
    for (const query of ['state=live', 'kind=stream', 'userId=42', 'limit=0']) {
      expect((await server.call('GET', `/sessions?${query}`)).status).toBe(400);
    }
  });
});

describe('GET /sessions with filters', () => {
  const day = 24 * 60 * 60_000;
  let place: Place;
  let elsewhere: Place;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    [place, elsewhere] = [await makePlace(), await makePlace()];
    await attach(server, place.applicationId, elsewhere.integrationId);
    ids.open = await open(place, { userId: member.id });
    ids.expired = await open(place, { userId: member.id, silentFor: 2 * day });
    ids.closed = await open(place, { userId: other.id });
    await server.store.db.session.update({
      where: { id: ids.closed },
      data: { state: 'closed', endedAt: new Date() },
    });
    ids.lease = await insertLease(server, place, member.id);
    ids.expiredLease = await insertLease(server, place, other.id, { lastsFor: -1 });
    ids.elsewhere = await open(
      { applicationId: place.applicationId, integrationId: elsewhere.integrationId },
      { userId: other.id },
    );
  });

  const of = (...names: string[]) => names.map((name) => ids[name]);

  it('joins the filters by “and”', async () => {
    const { applicationId, integrationId } = place;
    const all = of('elsewhere', 'expiredLease', 'lease', 'closed', 'expired', 'open');
    expect(await idsOf({ applicationId })).toEqual(all);
    expect(await idsOf({ integrationId })).toEqual(all.slice(1));
    expect(await idsOf({ integrationId: elsewhere.integrationId })).toEqual(of('elsewhere'));
    expect(await idsOf({ integrationId, userId: member.id })).toEqual(
      of('lease', 'expired', 'open'),
    );
    expect(await idsOf({ applicationId, userId: member.id, kind: 'session' })).toEqual(
      of('expired', 'open'),
    );
  });

  it('tells kinds and states apart, by silence too', async () => {
    const { applicationId, integrationId } = place;
    expect(await idsOf({ applicationId, kind: 'lease' })).toEqual(of('expiredLease', 'lease'));
    expect(await idsOf({ applicationId, state: 'open' })).toEqual(of('elsewhere', 'lease', 'open'));
    expect(await idsOf({ integrationId, state: 'open' })).toEqual(of('lease', 'open'));
    expect(await idsOf({ applicationId, state: 'closed' })).toEqual(of('closed'));
    expect(await idsOf({ integrationId, state: 'expired' })).toEqual(of('expiredLease', 'expired'));
    expect(await idsOf({ applicationId, state: 'expired', kind: 'session' })).toEqual(
      of('expired'),
    );
    expect(await idsOf({ applicationId, state: 'revoked' })).toEqual([]);
  });

  it('pages through sessions and leases, by a cursor that is good for these filters and person', async () => {
    const { applicationId } = place;
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const from: object = cursor === '' ? {} : { cursor };
      const page = await list({ applicationId, limit: 4, ...from });
      found.push(...page.items.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(await idsOf({ applicationId }));
    const { nextCursor } = await list({ applicationId, limit: 1 });
    const otherwise = { cursor: nextCursor, state: 'open', applicationId };
    expect((await list(otherwise)).code).toBe('invalid_cursor');
    expect((await list({ cursor: nextCursor, applicationId }, member.token)).code).toBe(
      'invalid_cursor',
    );
  });

  it('goes on behind what one read has looked at', async () => {
    const [rare, common] = [await makePlace(), await makePlace()];
    const id = await open(rare);
    await insertSessions(server, common, 5_000);
    const { integrationId } = rare;
    const first = await list({ integrationId });
    expect(first.items).toEqual([]);
    const second = await list({ integrationId, cursor: first.nextCursor });
    expect(second.items).toMatchObject([{ id }]);
  });
});
