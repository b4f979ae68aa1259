import type { Overview } from '@gatehouse/contract';
import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember } from '../make.ts';
import type { As } from '../targets/target.ts';

const read = async (t: Api, as: As): Promise<Overview> =>
  (await t.ok('GET /overview', { as })).body.overview;
const [A, B] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string];
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** An application of a member, and an integration that it may use. */
async function makeUse(t: Api, as: As) {
  const { id: integrationId } = await makeIntegration(t, { authMode: 'user_token' });
  const { id: applicationId } = await makeApplication(t, {}, as);
  await t.ok(`POST /applications/${applicationId}/integrations/${integrationId}`, { as });
  return { applicationId, integrationId };
}

export const overviewCases = {
  title: 'The overview',
  cases: [
    rule('is for every member, and needs a token', async (t) => {
      for (const [as, status] of [
        [null, 401],
        ['member', 200],
        ['admin', 200],
        ['owner', 200],
      ] as const) {
        expect((await t.call('GET /overview', { as })).status).toBe(status);
      }
    }),

    rule('counts the applications and sessions that the caller may see', async (t) => {
      const [ana, ben] = [await makeMember(t, 'member'), await makeMember(t, 'member')];
      const as = { token: ana.token };
      const place = await makeUse(t, as);
      const before = await read(t, 'admin');
      expect(await read(t, as)).toMatchObject({
        firstCallAt: null,
        applications: { total: 1, inUse: 0 },
      });
      await t.service.addSession(place);
      const own = await read(t, as);
      expect(own.applications).toEqual({ total: 1, inUse: 1 });
      expect(own.sessions).toEqual({ active: 1, total: 1 });
      expect(Date.parse(own.firstCallAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
      const { sessions, applications, firstCallAt } = await read(t, 'admin');
      expect(firstCallAt).not.toBeNull();
      expect(sessions.total).toBe(before.sessions.total + 1);
      expect(applications.inUse).toBe(before.applications.inUse + 1);
      expect(await read(t, { token: ben.token })).toMatchObject({
        firstCallAt: null,
        applications: { total: 0, inUse: 0 },
        sessions: { active: 0, total: 0 },
      });
    }),

    rule('keeps the first call of an application that is archived', async (t) => {
      const { token } = await makeMember(t, 'member');
      const place = await makeUse(t, { token });
      await t.service.addSession(place);
      await t.ok(`DELETE /applications/${place.applicationId}`, { as: { token } });
      const { firstCallAt, applications, sessions } = await read(t, { token });
      expect(firstCallAt).not.toBeNull();
      expect([applications.total, sessions]).toEqual([0, { active: 0, total: 1 }]);
    }),

    rule('counts integrations that are not archived, and names 20 at most of a kind', async (t) => {
      const { token } = await makeMember(t, 'member');
      const before = await read(t, 'owner');
      for (let n = 0; n < 21; n += 1) {
        const { id } = await makeIntegration(t, { authMode: 'user_token', name: `Many ${n}` });
        await t.ok(`POST /integrations/${id}/connection`, { as: { token }, body: { token: 'x' } });
        await t.ok(`PATCH /integrations/${id}`, { body: { url: 'https://other.example/mcp' } });
      }
      const { id } = await makeIntegration(t);
      await t.ok(`DELETE /integrations/${id}`);
      const { integrations, connections, attention } = await read(t, { token });
      expect(integrations.total).toBe(before.integrations.total + 21);
      expect([connections, attention.connections.total]).toEqual([0, 21]);
      expect(attention.connections.items).toHaveLength(20);
      expect(attention.connections.items[0]).toMatchObject({
        name: 'Many 20',
        reason: 'needs_reauth',
      });
      const other = await makeMember(t, 'admin');
      expect((await read(t, other)).attention.connections.items).toEqual([]);
    }),

    rule('names own tokens that expire within 7 days, and those of no other person', async (t) => {
      const { token } = await makeMember(t, 'member');
      for (const [name, days] of [
        ['later', 8],
        ['soon', 6],
        ['sooner', 1],
      ] as const) {
        const body = { name, scopes: ['mcp'], expiresAt: inDays(days) };
        await t.ok('POST /tokens', { as: { token }, body });
      }
      const { tokens } = (await read(t, { token })).attention;
      expect([tokens.total, tokens.items.map(({ name }) => name)]).toEqual([2, ['sooner', 'soon']]);
      const other = await makeMember(t, 'admin');
      expect((await read(t, other)).attention.tokens.items).toEqual([]);
    }),

    rule('names tools that changed to admins alone', async (t) => {
      const { id } = await makeIntegration(t, { name: 'Changing' });
      const names = Array.from({ length: 12 }, (_, n) => `tool ${String(n).padStart(2, '0')}`);
      for (const name of names)
        await t.service.addTool({ integrationId: id, name, fingerprint: A });
      const fingerprints = Object.fromEntries(names.map((name) => [name, A]));
      await t.ok(`POST /integrations/${id}/tools/approve`, { body: { fingerprints } });
      const changed = async (as: As) =>
        (await read(t, as)).attention.changedTools.items.filter((item) => item.id === id);
      expect(await changed('admin')).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 2));
      for (const name of names.slice(1))
        await t.service.addTool({ integrationId: id, name, fingerprint: B });
      expect(await changed('admin')).toEqual([
        { id, name: 'Changing', toolCount: 11, toolNames: names.slice(1, 11) },
      ]);
      expect((await read(t, 'member')).attention.changedTools).toEqual({ total: 0, items: [] });
    }),
  ],
};
