import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember, NOWHERE } from '../make.ts';

/** The paths of the policies of a new integration, and of its attachment to a new application. */
async function make(t: Api, as: Parameters<typeof makeApplication>[2] = 'owner') {
  const { id: integrationId } = await makeIntegration(t);
  const { id } = await makeApplication(t, {}, as);
  const attachmentPath = `/applications/${id}/integrations/${integrationId}`;
  await t.ok(`POST ${attachmentPath}`);
  const integrationPath = `/integrations/${integrationId}`;
  return { id, integrationId, attachmentPath, integrationPath };
}

export const policyCases = {
  title: 'Policies',
  cases: [
    rule('are empty at first, replaced whole, and cleared by null and {}', async (t) => {
      const { attachmentPath, integrationPath } = await make(t);
      for (const path of [`${attachmentPath}/policy`, `${integrationPath}/policy`]) {
        expect((await t.ok(`GET ${path}`)).body).toStrictEqual({ policy: {} });
        const limits = { perMinute: 60, concurrent: 5 };
        const body = { roles: ['admin'], tools: { allow: ['read_*'], deny: [] }, limits };
        expect((await t.ok(`PUT ${path}`, { body })).body).toStrictEqual({ policy: body });
        expect((await t.ok(`GET ${path}`)).body).toStrictEqual({ policy: body });
        const other = { resources: { deny: ['file:///*'] } };
        await t.ok(`PUT ${path}`, { body: other });
        expect((await t.ok(`GET ${path}`)).body).toStrictEqual({ policy: other });
        for (const nothing of [null, {}]) {
          const cleared = await t.ok(`PUT ${path}`, { body: nothing });
          expect(cleared.body).toStrictEqual({ policy: {} });
        }
      }
    }),

    rule('move the ETag of the application or integration, unless nothing changes', async (t) => {
      const { id, attachmentPath, integrationPath } = await make(t);
      for (const [path, owner, versions] of [
        [`${attachmentPath}/policy`, `/applications/${id}`, ['"v3"', '"v3"', '"v4"']],
        [`${integrationPath}/policy`, integrationPath, ['"v2"', '"v2"', '"v3"']],
      ] as const) {
        const bodies = [{ userIds: [], groups: [] }, { groups: [], userIds: [] }, null];
        for (const [index, body] of bodies.entries()) {
          const put = await t.ok(`PUT ${path}`, { body });
          expect(put.headers.get('etag')).toBe(versions[index]);
        }
        expect((await t.ok(`GET ${owner}`)).headers.get('etag')).toBe(versions[2]);
        const stale = { body: {}, headers: { 'if-match': '"v1"' } };
        expect((await t.problem(`PUT ${path}`, stale)).code).toBe('precondition_failed');
      }
    }),

    rule('of an attachment end with it', async (t) => {
      const { attachmentPath } = await make(t);
      await t.ok(`PUT ${attachmentPath}/policy`, { body: { userIds: [] } });
      await t.ok(`DELETE ${attachmentPath}`);
      expect((await t.problem(`GET ${attachmentPath}/policy`)).code).toBe('not_found');
      await t.ok(`POST ${attachmentPath}`);
      expect((await t.ok(`GET ${attachmentPath}/policy`)).body).toStrictEqual({ policy: {} });
    }),

    rule('name only what exists, or what stands there already', async (t) => {
      const { id, integrationPath } = await make(t);
      const leaver = await makeMember(t, 'member');
      const path = `${integrationPath}/policy`;
      const body = {
        userIds: [leaver.id, NOWHERE],
        groups: [NOWHERE],
        perApplication: { [id]: { userIds: [NOWHERE] }, [NOWHERE]: {} },
      };
      const refused = await t.problem(`PUT ${path}`, { body });
      expect(refused).toEqual({
        status: 400,
        code: 'validation_failed',
        at: [
          '/groups/0',
          '/userIds/1',
          `/perApplication/${id}/userIds/0`,
          `/perApplication/${NOWHERE}`,
        ],
      });
      await t.ok(`PUT ${path}`, { body: { userIds: [leaver.id] } });
      await t.ok(`DELETE /members/${leaver.id}`);
      await t.ok(`PUT ${path}`, { body: { userIds: [leaver.id], roles: ['owner'] } });
    }),

    rule('let a member who owns the application name themselves alone', async (t) => {
      const { id: memberId, token } = await makeMember(t, 'member');
      const other = await makeMember(t, 'member');
      const { attachmentPath, integrationPath } = await make(t, { token });
      const path = `${attachmentPath}/policy`;
      const own = { userIds: [memberId], roles: ['member'] };
      await t.ok(`PUT ${path}`, { as: { token }, body: own });
      const body = { userIds: [other.id, NOWHERE] };
      const refused = await t.call(`PUT ${path}`, { as: { token }, body });
      const message = 'Must be you. Only admins and owners may name others.';
      expect(refused.body.errors).toEqual([
        { pointer: '/userIds/0', code: 'not_found', message },
        { pointer: '/userIds/1', code: 'not_found', message },
      ]);
      await t.ok(`PUT ${path}`, { body: { userIds: [other.id] } });
      await t.ok(`PUT ${path}`, { as: { token }, body: { userIds: [other.id], roles: [] } });
      const forbidden = await t.problem(`GET ${integrationPath}/policy`, { as: { token } });
      expect(forbidden.code).toBe('forbidden');
    }),

    rule('name groups, of which a member names their own, and which are not deleted', async (t) => {
      const { id: memberId, token } = await makeMember(t, 'member');
      const { id, integrationId, attachmentPath, integrationPath } = await make(t, { token });
      const makeGroup = async () => {
        const body = { name: crypto.randomUUID() };
        return (await t.ok('POST /groups', { body })).body.group.id as string;
      };
      const [own, other] = [await makeGroup(), await makeGroup()];
      await t.ok(`PUT /groups/${own}/members/${memberId}`);
      const as = { token };
      const put = `PUT ${attachmentPath}/policy`;
      const refused = await t.problem(put, { as, body: { groups: [own, other, NOWHERE] } });
      expect(refused.at).toEqual(['/groups/1', '/groups/2']);
      await t.ok(put, { as, body: { groups: [own] } });
      const perApplication = { [id]: { groups: [own] } };
      await t.ok(`PUT ${integrationPath}/policy`, { body: { perApplication } });
      const named = await t.call(`DELETE /groups/${own}`);
      expect([named.status, named.body.code, named.body.errors]).toEqual([
        409,
        'group_in_use',
        [
          {
            code: 'integration_policy',
            message: `The policy at /integrations/${integrationId}/policy names the group.`,
          },
          {
            code: 'attachment_policy',
            message: `The policy at /applications/${id}/integrations/${integrationId}/policy names the group.`,
          },
        ],
      ]);
      await t.ok(`PUT ${integrationPath}/policy`, { body: null });
      await t.ok(`DELETE ${attachmentPath}`);
      expect((await t.call(`DELETE /groups/${own}`)).status).toBe(204);
    }),

    rule('do not change what is archived', async (t) => {
      const { id, attachmentPath, integrationPath } = await make(t);
      await t.ok(`DELETE ${integrationPath}`);
      const refused = await t.problem(`PUT ${integrationPath}/policy`, { body: {} });
      expect(refused.code).toBe('archived');
      await t.ok(`PUT ${attachmentPath}/policy`, { body: { roles: [] } });
      await t.ok(`DELETE /applications/${id}`);
      const other = await t.problem(`PUT ${attachmentPath}/policy`, { body: {} });
      expect(other.code).toBe('archived');
      await t.ok(`GET ${attachmentPath}/policy`);
    }),

    rule('have no other fields, and patterns of limited length', async (t) => {
      const { attachmentPath, integrationPath } = await make(t);
      for (const [path, body, pointer] of [
        [attachmentPath, { limits: { perHour: 1 } }, '/limits/perHour'],
        [attachmentPath, { limits: { perMinute: 0 } }, '/limits/perMinute'],
        [integrationPath, { limits: { concurrent: 1001 } }, '/limits/concurrent'],
        [attachmentPath, { perApplication: {} }, '/perApplication'],
        [attachmentPath, { tools: { pinned: 'name' } }, '/tools/pinned'],
        [attachmentPath, { tools: { allow: ['a'.repeat(129)] } }, '/tools/allow/0'],
        [attachmentPath, { resources: { allow: ['a'.repeat(2049)] } }, '/resources/allow/0'],
        [integrationPath, { perApplication: { all: {} } }, '/perApplication/all'],
      ] as const) {
        const refused = await t.problem(`PUT ${path}/policy`, { body });
        expect([refused.status, refused.at]).toEqual([400, [pointer]]);
      }
    }),
  ],
};
