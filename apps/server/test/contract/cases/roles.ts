import { type Route, routes } from '@gatehouse/contract';
import { expect } from 'vitest';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember, makeToken, NOWHERE } from '../make.ts';

const table: readonly Route[] = Object.values(routes).flatMap((resource) =>
  Object.values(resource),
);

export const roleCases = {
  title: 'Roles, scopes and organizations',
  cases: [
    rule('what is for admins is refused to members', async (t) => {
      for (const { method, path, access } of table) {
        if (access !== 'admin') continue;
        const line = `${method} ${path.replaceAll(/:[a-zA-Z]+/g, NOWHERE)}`;
        const { status, code } = await t.problem(line, { as: 'member' });
        expect([line, status, code]).toEqual([line, 403, 'forbidden']);
      }
    }),

    rule('an admin may do what an owner may with integrations', async (t) => {
      const { id } = await makeIntegration(t, {}, 'admin');
      const name = { name: 'Renamed' };
      await t.ok(`PATCH /integrations/${id}`, { as: 'admin', body: name });
      await t.ok(`DELETE /integrations/${id}`, { as: 'admin' });
      await t.ok(`POST /integrations/${id}/restore`, { as: 'admin' });
    }),

    rule('another owner’s application is 404 for a member, whatever is asked', async (t) => {
      const { id } = await makeApplication(t);
      const integrationId = (await makeIntegration(t)).id;
      const lines: [string, unknown?][] = [
        ['GET ', undefined],
        ['PATCH ', { name: 'x' }],
        ['DELETE ', undefined],
        ['POST /restore', undefined],
        ['POST /rotate-secret', undefined],
        ['POST /revoke-access', undefined],
        ['GET /oauth', undefined],
        ['PATCH /oauth', {}],
        ['GET /integrations', undefined],
        ['PUT /integrations', { integrationIds: [] }],
        [`POST /integrations/${integrationId}`, undefined],
        [`DELETE /integrations/${integrationId}`, undefined],
        ['GET /sessions', undefined],
        [`DELETE /sessions/${NOWHERE}`, undefined],
      ];
      for (const [what, body] of lines) {
        const line = what.replace(' ', ` /applications/${id}`);
        const options = body === undefined ? {} : { body };
        expect([line, (await t.call(line, { as: 'member', ...options })).status]).toEqual([
          line,
          404,
        ]);
      }
    }),

    rule('a member manages their own application, and so does an admin', async (t) => {
      for (const as of ['member', 'admin'] as const) {
        const { id, canModify } = await makeApplication(t, {}, 'member');
        expect(canModify).toBe(true);
        await t.ok(`PATCH /applications/${id}`, { as, body: { name: 'Renamed' } });
        await t.ok(`POST /applications/${id}/rotate-secret`, { as });
        await t.ok(`DELETE /applications/${id}`, { as });
        await t.ok(`POST /applications/${id}/restore`, { as });
      }
    }),

    rule('nothing of another organization is found', async (t) => {
      const integration = await makeIntegration(t, {}, 'stranger');
      const application = await makeApplication(t, {}, 'stranger');
      const own = await makeApplication(t);
      for (const line of [
        `GET /integrations/${integration.id}`,
        `POST /integrations/${integration.id}/validate`,
        `GET /integrations/${integration.id}/connection`,
        `GET /applications/${application.id}`,
        `DELETE /applications/${application.id}`,
        `POST /applications/${own.id}/integrations/${integration.id}`,
        `DELETE /applications/${own.id}/integrations/${integration.id}`,
      ]) {
        expect([line, (await t.call(line)).status]).toEqual([line, 404]);
      }
      const list = await t.ok('GET /applications?all=true&limit=100');
      expect(list.body.items.map(({ id }: { id: string }) => id)).not.toContain(application.id);
    }),

    rule(
      'only admins list all applications, and it is judged before the rest of the query',
      async (t) => {
        const asked = await t.problem('GET /applications?all=true&limit=0', { as: 'member' });
        expect(asked.code).toBe('forbidden');
        const { id } = await makeApplication(t, {}, 'member');
        const idsOf = async (query: string, as: 'admin' | 'member') =>
          (await t.ok(`GET /applications?limit=100${query}`, { as })).body.items.map(
            (item: { id: string }) => item.id,
          );
        expect(await idsOf('&all=true', 'admin')).toContain(id);
        expect(await idsOf('', 'admin')).not.toContain(id);
        expect(await idsOf('&all=false', 'member')).toContain(id);
      },
    ),

    rule('a token needs the scope of the method, and any reads /me', async (t) => {
      const reader = { token: await makeToken(t, ['management:read']) };
      const user = { token: await makeToken(t, ['mcp']) };
      const writer = { token: await makeToken(t, ['management:write']) };
      const scope = (await t.problem('GET /integrations', { as: user })).code;
      expect(scope).toBe('insufficient_scope');
      expect((await t.call('GET /me', { as: user })).status).toBe(200);
      expect((await t.call('GET /integrations', { as: reader })).status).toBe(200);
      const body = { name: 'x', url: 'https://mcp.example.com' };
      const write = await t.problem('POST /integrations', { as: reader, body });
      expect(write.code).toBe('insufficient_scope');
      expect((await t.call('GET /integrations', { as: writer })).status).toBe(200);
    }),

    rule('an invitation only reads /me and makes one token', async (t) => {
      const { invitation } = await makeMember(t, 'member');
      const as = { token: invitation };
      expect((await t.call('GET /me', { as })).status).toBe(200);
      expect((await t.problem('GET /integrations', { as })).code).toBe('forbidden');
      const body = { name: 'again', scopes: ['mcp'] };
      expect((await t.problem('POST /tokens', { as, body })).code).toBe('invitation_used');
    }),
  ],
};
