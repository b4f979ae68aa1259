import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember, NOWHERE, onceKey } from '../make.ts';

const NOTHING = { sessions: 0, leases: 0, streams: 0 };

async function makePlace(t: Api) {
  const applicationId: string = (await makeApplication(t)).id;
  const integrationId: string = (await makeIntegration(t, { authMode: 'user_token' })).id;
  await t.ok(`POST /applications/${applicationId}/integrations/${integrationId}`);
  return { applicationId, integrationId };
}

const idsIn = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);

export const acrossApplicationsCases = {
  title: 'Sessions across applications',
  cases: [
    rule('are listed with their names, and filtered', async (t) => {
      const [place, other] = [await makePlace(t), await makePlace(t)];
      const someone = await makeMember(t, 'member');
      const own = await t.service.addSession({ ...place, userId: someone.id });
      const old = await t.service.addSession({ ...place, silentFor: 48 * 60 * 60_000 });
      await t.service.addSession(other);
      const { applicationId, integrationId } = place;
      const list = async (query: string, as: Parameters<Api['ok']>[1] = {}) =>
        (await t.ok(`GET /sessions?${query}`, as)).body;
      expect(idsIn(await list(`applicationId=${applicationId}`))).toEqual([old, own]);
      expect(idsIn(await list(`integrationId=${integrationId}&state=open`))).toEqual([own]);
      expect(idsIn(await list(`integrationId=${integrationId}&state=expired`))).toEqual([old]);
      expect(idsIn(await list(`applicationId=${applicationId}&kind=lease`))).toEqual([]);
      expect((await list(`userId=${someone.id}`)).items).toMatchObject([
        {
          ...{ id: own, ...place, userId: someone.id, kind: 'session', state: 'open' },
          ...{ applicationName: 'Assistant', integrationName: 'Issue tracker', userName: 'New' },
        },
      ]);
      const as = { as: { token: someone.token } };
      expect(idsIn(await list('limit=5', as))).toEqual([own]);
      expect(idsIn(await list(`userId=${NOWHERE}`, as))).toEqual([]);
    }),

    rule('are listed in pages, by a cursor that is good for the same filters', async (t) => {
      const place = await makePlace(t);
      const ids = [await t.service.addSession(place), await t.service.addSession(place)];
      const path = `GET /sessions?limit=1&applicationId=${place.applicationId}`;
      const first = (await t.ok(path)).body;
      const second = (await t.ok(`${path}&cursor=${first.nextCursor}`)).body;
      expect([...idsIn(first), ...idsIn(second)]).toEqual(ids.reverse());
      expect(second.nextCursor).toBeNull();
      const elsewhere = `${path}&kind=session&cursor=${first.nextCursor}`;
      expect((await t.problem(elsewhere)).code).toBe('invalid_cursor');
    }),

    rule('end together, after a preview that ends nothing', async (t) => {
      const place = await makePlace(t);
      const id = await t.service.addSession(place);
      const { applicationId } = place;
      const end = async (body: object, options: object = {}) =>
        (await t.ok('POST /sessions/end', { body, ...options })).body;
      const filter = { applicationId };
      const ended = { ...NOTHING, sessions: 1 };
      const preview = await end({ filter, dryRun: true });
      expect(preview).toMatchObject({ ended, remaining: 0, items: [{ id, state: 'open' }] });
      const headers = onceKey();
      const receipt = await end({ filter }, { headers });
      expect(receipt).toMatchObject({ ended, remaining: 0, items: [{ id, state: 'revoked' }] });
      expect(await end({ filter }, { headers })).toEqual(receipt);
      expect(await end({ filter })).toEqual({ ended: NOTHING, remaining: 0, items: [] });
      const { items } = (await t.ok(`GET /applications/${applicationId}/sessions`)).body;
      expect(items).toMatchObject([{ id, state: 'revoked' }]);
    }),

    rule('end for a member only where they are their own', async (t) => {
      const place = await makePlace(t);
      const [someone, other] = [await makeMember(t, 'member'), await makeMember(t, 'member')];
      await t.service.addSession({ ...place, userId: someone.id });
      await t.service.addSession({ ...place, userId: other.id });
      const as = { token: other.token };
      const ended = async (filter: object) =>
        (await t.ok('POST /sessions/end', { as, body: { filter } })).body.ended.sessions;
      expect(await ended({ userId: someone.id })).toBe(0);
      expect(await ended({ applicationId: place.applicationId })).toBe(1);
    }),

    rule('end by a filter that names an application, an integration or a member', async (t) => {
      for (const filter of [{}, { state: 'open' }, { kind: 'session' }]) {
        const refused = await t.problem('POST /sessions/end', { body: { filter } });
        expect(refused).toEqual({ status: 400, code: 'validation_failed', at: ['/filter'] });
      }
      const unknown = { filter: { userId: NOWHERE, name: 'x' } };
      expect((await t.problem('POST /sessions/end', { body: unknown })).code).toBe('unknown_field');
      expect((await t.problem('POST /sessions/end', { body: {} })).at).toEqual(['/filter']);
    }),
  ],
};

export const whoHasAccessCases = {
  title: 'Who is connected, and what ends with a member',
  cases: [
    rule('an integration’s connections are listed by member, without a value', async (t) => {
      const { integrationId } = await makePlace(t);
      const [one, two] = [await makeMember(t, 'member'), await makeMember(t, 'member')];
      for (const { token } of [two, one]) {
        const body = { token: 'a-very-secret-token' };
        await t.ok(`POST /integrations/${integrationId}/connection`, { as: { token }, body });
      }
      const path = `GET /integrations/${integrationId}/connections`;
      const first = (await t.ok(`${path}?limit=1&status=connected`)).body;
      expect(first.items).toEqual([
        {
          ...{ userId: two.id, userName: 'New', userEmail: two.email, mode: 'user_token' },
          ...{ connected: true, status: 'connected' },
          ...{ createdAt: expect.any(String), refreshedAt: null },
        },
      ]);
      const rest = `${path}?status=connected&cursor=${first.nextCursor}`;
      expect((await t.ok(rest)).body.items).toMatchObject([{ userId: one.id }]);
      const cursor = `${path}?cursor=${first.nextCursor}`;
      expect((await t.problem(cursor)).code).toBe('invalid_cursor');
      const body = { url: 'https://elsewhere.example.com/mcp' };
      await t.ok(`PATCH /integrations/${integrationId}`, { body });
      expect((await t.ok(`${path}?status=connected`)).body.items).toEqual([]);
      expect((await t.ok(`${path}?userId=${one.id}`)).body.items).toMatchObject([
        { userId: one.id, status: 'disconnected', reason: 'needs_reauth' },
      ]);
      const unknown = `GET /integrations/${NOWHERE}/connections`;
      expect((await t.problem(unknown)).code).toBe('not_found');
    }),

    rule('what a member has is what their receipts name', async (t) => {
      const { id, token } = await makeMember(t, 'member');
      const place = await makePlace(t);
      const body = { token: 'a-very-secret-token' };
      const as = { token };
      await t.ok(`POST /integrations/${place.integrationId}/connection`, { as, body });
      await t.service.addSession({ ...place, userId: id });
      const { applicationId } = place;
      await t.service.addGrant({ applicationId, userId: id, isConsentKept: true });
      const name = crypto.randomUUID();
      const { group } = (await t.ok('POST /groups', { body: { name } })).body;
      await t.ok(`PUT /groups/${group.id}/members/${id}`);
      const owned = await makeApplication(t, {}, as);
      await makeApplication(t, { type: 'public' }, as);
      const policy = `PUT /integrations/${place.integrationId}/policy`;
      await t.ok(policy, { body: { userIds: [id] } });

      const { access } = (await t.ok(`GET /members/${id}/access`)).body;
      expect(access).toMatchObject({
        connections: { total: 1, items: [{ id: place.integrationId, name: 'Issue tracker' }] },
        grants: { total: 1, items: [{ name: 'Assistant' }] },
        recentSessions: [{ ...place, userId: id }],
        applications: { total: 2, items: [{ clientSecretConfigured: false }, { id: owned.id }] },
        rules: { total: 1, items: [{ integrationId: place.integrationId, applicationId: null }] },
      });
      const { revoked } = (await t.ok(`POST /members/${id}/revoke-access`)).body;
      expect(revoked).toEqual({
        tokens: access.tokens.total + access.grantTokens,
        grants: access.grants.total,
        consents: access.consents,
        ...access.sessions,
      });
      const receipt = (await t.ok(`DELETE /members/${id}`)).body;
      expect(receipt.groups).toEqual(access.groups.items);
      expect(receipt.applications).toEqual([{ id: owned.id, name: owned.name }]);
      expect((await t.problem(`GET /members/${id}/access`)).code).toBe('not_found');
    }),
  ],
};
