import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember, NOWHERE } from '../make.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function makeGroup(t: Api, fields: object = {}): Promise<string> {
  const body = { name: crypto.randomUUID(), ...fields };
  return (await t.ok('POST /groups', { body })).body.group.id;
}

const idsIn = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id);

export const groupCases = {
  title: 'Groups',
  cases: [
    rule('are created, read, renamed and deleted', async (t) => {
      const { body } = await t.ok('POST /groups', { as: 'admin', body: { name: '  Support ' } });
      const { id } = body.group;
      expect(body.group).toStrictEqual({
        id: expect.any(String),
        name: 'Support',
        externalId: null,
        createdAt: expect.stringMatching(instant),
        updatedAt: body.group.createdAt,
      });
      expect((await t.ok(`GET /groups/${id}`)).body).toStrictEqual(body);
      const renamed = await t.ok(`PATCH /groups/${id}`, { body: { name: 'SUPPORT' } });
      expect(renamed.body.group).toMatchObject({ id, name: 'SUPPORT', externalId: null });
      expect((await t.call(`DELETE /groups/${id}`)).status).toBe(204);
      expect((await t.problem(`GET /groups/${id}`)).code).toBe('not_found');
    }),

    rule('have a version, which members do not move', async (t) => {
      const id = await makeGroup(t);
      const { id: memberId } = await makeMember(t, 'member');
      const etag = async () => (await t.ok(`GET /groups/${id}`)).headers.get('etag');
      const first = (await etag()) ?? '';
      await t.call(`PUT /groups/${id}/members/${memberId}`);
      await t.ok(`PATCH /groups/${id}`, { body: {}, headers: { 'if-match': first } });
      expect(await etag()).toBe(first);
      await t.ok(`PATCH /groups/${id}`, { body: { externalId: crypto.randomUUID() } });
      const stale = { headers: { 'if-match': first } };
      const patch = { body: { externalId: null }, ...stale };
      expect((await t.problem(`PATCH /groups/${id}`, patch)).code).toBe('precondition_failed');
      expect((await t.problem(`DELETE /groups/${id}`, stale)).code).toBe('precondition_failed');
    }),

    rule('say which policies name them, and are deleted once no policy does', async (t) => {
      const id = await makeGroup(t);
      const integration = await makeIntegration(t, { name: 'Docs' });
      const application = await makeApplication(t);
      const ofIntegration = `/integrations/${integration.id}`;
      const ofApplication = `/applications/${application.id}${ofIntegration}`;
      await t.ok(`POST ${ofApplication}`);
      const policies = async () => (await t.ok(`GET /groups/${id}/policies`)).body;
      expect(await policies()).toStrictEqual({ policies: [], truncated: false });
      for (const path of [ofApplication, ofIntegration]) {
        await t.ok(`PUT ${path}/policy`, { body: { groups: [id] } });
      }
      const of = { integrationId: integration.id, integrationName: 'Docs' };
      expect(await policies()).toStrictEqual({
        policies: [
          { ...of, applicationId: null, applicationName: null },
          { ...of, applicationId: application.id, applicationName: 'Assistant' },
        ],
        truncated: false,
      });
      expect((await t.problem(`DELETE /groups/${id}`)).code).toBe('group_in_use');
      for (const path of [ofApplication, ofIntegration]) {
        await t.call(`PUT ${path}/policy`, { body: null });
      }
      expect((await t.call(`DELETE /groups/${id}`)).status).toBe(204);
    }),

    rule('have names that differ in more than case, and external ids that differ', async (t) => {
      const [name, externalId] = [`N-${crypto.randomUUID()}`, crypto.randomUUID()];
      const id = await makeGroup(t, { name, externalId });
      const other = await makeGroup(t);
      for (const [field, body] of [
        ['name', { name: name.toLowerCase() }],
        ['externalId', { name: 'Another', externalId }],
      ] as const) {
        for (const line of ['POST /groups', `PATCH /groups/${other}`]) {
          const refused = await t.problem(line, { body });
          expect(refused).toEqual({ status: 409, code: 'group_name_taken', at: [`/${field}`] });
        }
      }
      await t.ok(`PATCH /groups/${id}`, { body: { name: name.toUpperCase(), externalId } });
    }),

    rule('have members, who are added and removed as often as one likes', async (t) => {
      const id = await makeGroup(t);
      const { id: memberId } = await makeMember(t, 'member');
      const line = `/groups/${id}/members/${memberId}`;
      const lists = [`GET /groups/${id}/members`, `GET /members?groupId=${id}`];
      for (const _ of [1, 2]) expect((await t.call(`PUT ${line}`)).status).toBe(204);
      for (const list of lists) expect(idsIn(await t.ok(list))).toEqual([memberId]);
      for (const _ of [1, 2]) expect((await t.call(`DELETE ${line}`)).status).toBe(204);
      for (const list of lists) expect(idsIn(await t.ok(list))).toEqual([]);
      expect((await t.problem(`PUT /groups/${id}/members/${NOWHERE}`)).code).toBe('not_found');
      expect((await t.problem(`PUT /groups/${NOWHERE}/members/${memberId}`)).status).toBe(404);
    }),

    rule('with an external id take no members by hand', async (t) => {
      const id = await makeGroup(t, { externalId: crypto.randomUUID() });
      const { id: memberId } = await makeMember(t, 'member');
      for (const method of ['PUT', 'DELETE']) {
        const refused = await t.problem(`${method} /groups/${id}/members/${memberId}`);
        expect([refused.status, refused.code]).toEqual([409, 'managed_by_provider']);
      }
    }),

    rule('are seen by a member who is in them, without the other members', async (t) => {
      const [mine, other] = [await makeGroup(t), await makeGroup(t)];
      const { id: memberId, token } = await makeMember(t, 'member');
      await t.call(`PUT /groups/${mine}/members/${memberId}`);
      const as = { token };
      expect(idsIn(await t.ok('GET /groups', { as }))).toEqual([mine]);
      await t.ok(`GET /groups/${mine}`, { as });
      expect((await t.problem(`GET /groups/${other}`, { as })).code).toBe('not_found');
      expect((await t.problem(`GET /groups/${mine}/members`, { as })).code).toBe('forbidden');
      expect((await t.problem(`GET /groups/${mine}`, { as: 'stranger' })).status).toBe(404);
    }),

    rule('lose a member who is removed, and the receipt names them', async (t) => {
      const [first, second] = [await makeGroup(t), await makeGroup(t)];
      const { id: memberId } = await makeMember(t, 'member');
      for (const id of [first, second]) await t.call(`PUT /groups/${id}/members/${memberId}`);
      const { body } = await t.ok(`DELETE /members/${memberId}`);
      expect(body.groups.map(({ id }: { id: string }) => id)).toEqual([second, first]);
      expect(idsIn(await t.ok(`GET /groups/${first}/members`))).toEqual([]);
    }),
  ],
};
