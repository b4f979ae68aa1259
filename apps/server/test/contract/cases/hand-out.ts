import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration } from '../make.ts';

const CREDENTIAL_ONLY = { category: 'internal_mcp_credentials' };

/** A confidential application with an attached integration, and the line that gets its credential. */
async function make(t: Api, fields: Readonly<Record<string, unknown>> = {}) {
  const userId: string = (await t.ok('GET /me')).body.user.id;
  const application = await makeApplication(t, { scopes: ['mcp', 'credentials'] });
  const integration = await makeIntegration(t, {
    ...{ authMode: 'user_token', ...CREDENTIAL_ONLY, ...fields },
  });
  const attachment = `/applications/${application.id}/integrations/${integration.id}`;
  await t.ok(`POST ${attachment}`);
  const applicationId: string = application.id;
  const integrationId: string = integration.id;
  const line = `POST ${attachment}/credential`;
  return { applicationId, integrationId, userId, attachment, line };
}

/** The same with the owner's credential, and a token that the owner has agreed to. */
async function ready(t: Api) {
  const made = await make(t);
  const { applicationId, integrationId, userId } = made;
  await t.ok(`POST /integrations/${integrationId}/connection`, { body: { token: 'sesame' } });
  const as = { token: await t.service.addAccessToken({ applicationId, userId }) };
  return { ...made, as };
}

const listOf = async (t: Api, applicationId: string) =>
  (await t.ok(`GET /applications/${applicationId}/sessions`)).body.items;

export const handOutCases = {
  title: 'Handing out',
  cases: [
    rule('gives an application the credential of the person, under a lease', async (t) => {
      const { line, as, applicationId, integrationId, userId } = await ready(t);
      const { body } = await t.ok(line, { as });
      expect(body.credential).toEqual({
        headers: [{ name: 'authorization', value: 'Bearer sesame' }],
        token: 'sesame',
      });
      const lasts = Date.parse(body.lease.expiresAt) - Date.now();
      expect(lasts).toBeGreaterThan(290_000);
      expect(lasts).toBeLessThan(310_000);
      expect(await listOf(t, applicationId)).toEqual([
        expect.objectContaining({
          ...{ kind: 'lease', id: body.lease.id, state: 'open', expiresAt: body.lease.expiresAt },
          ...{ integrationId, userId, live: false, endedAt: null },
        }),
      ]);
      const { application } = (await t.ok(`GET /applications/${applicationId}`)).body;
      expect([application.activeSessionCount, application.totalSessionCount]).toEqual([1, 0]);
    }),

    rule('gives the server token to an application that acts for itself', async (t) => {
      const made = await make(t, { authMode: 'server_token', serverToken: 'server-token' });
      const { applicationId, userId, line } = made;
      const itself = await t.service.addAccessToken({ applicationId, userId: null });
      const { body } = await t.ok(line, { as: { token: itself } });
      expect(body.credential.token).toBe('server-token');
      expect(await listOf(t, applicationId)).toMatchObject([{ kind: 'lease', userId: null }]);
      const token = await t.service.addAccessToken({ applicationId, userId });
      expect((await t.problem(line, { as: { token } })).code).toBe('forbidden');
      const personal = await ready(t);
      const own = await t.service.addAccessToken({
        ...{ applicationId: personal.applicationId, userId: null },
      });
      const refused = await t.problem(personal.line, { as: { token: own } });
      expect(refused.code).toBe('forbidden');
    }),

    rule('takes only a token of that application, with the scope', async (t) => {
      const { line, applicationId, userId } = await ready(t);
      const other = await ready(t);
      expect((await t.problem(line, { as: null })).code).toBe('unauthenticated');
      expect((await t.problem(line, { as: 'owner' })).code).toBe('forbidden');
      expect((await t.problem(line, { as: 'member' })).code).toBe('forbidden');
      expect((await t.problem(line, { as: other.as })).code).toBe('unauthenticated');
      const token = await t.service.addAccessToken({ applicationId, userId, scopes: ['mcp'] });
      expect((await t.problem(line, { as: { token } })).code).toBe('insufficient_scope');
    }),

    rule('is refused for proxied integrations, and for those without a credential', async (t) => {
      for (const [fields, code] of [
        [{ category: 'gateway_remote_mcp' }, 'not_credential_only'],
        [{ authMode: 'none' }, 'auth_mode_mismatch'],
        [{}, 'connection_required'],
      ] as const) {
        const { line, applicationId, integrationId, userId } = await make(t, fields);
        const token = await t.service.addAccessToken({ applicationId, userId });
        const { status, body } = await t.call(line, { as: { token } });
        expect([status, body.code]).toEqual([409, code]);
        const url = new URL(body.connectUrl ?? 'https://nowhere.example');
        const isLinked = url.searchParams.get('integration') === integrationId;
        expect(isLinked).toBe(code === 'connection_required');
      }
    }),

    rule('has fields where fields were entered', async (t) => {
      const properties = { key: { type: 'string', 'x-header': 'X-Api-Key' } };
      const credentialSchema = { type: 'object', properties, required: ['key'] };
      const { line, applicationId, integrationId, userId } = await make(t, { credentialSchema });
      const fields = { key: 'k' };
      await t.ok(`POST /integrations/${integrationId}/connection`, { body: { fields } });
      const token = await t.service.addAccessToken({ applicationId, userId });
      const { credential } = (await t.ok(line, { as: { token } })).body;
      expect(credential).toEqual({ headers: [{ name: 'x-api-key', value: 'k' }], fields });
    }),

    rule('ends with what it rests on', async (t) => {
      for (const end of [
        (a: string) => `DELETE /applications/${a}`,
        (_a: string, i: string) => `DELETE /integrations/${i}`,
        (a: string, i: string) => `DELETE /applications/${a}/integrations/${i}`,
        (_a: string, i: string) => `DELETE /integrations/${i}/connection`,
        (a: string) => `POST /applications/${a}/revoke-access`,
      ]) {
        const { line, as, applicationId, integrationId } = await ready(t);
        await t.ok(line, { as });
        const ending = end(applicationId, integrationId);
        const { body } = await t.ok(ending);
        if (body?.revoked) expect(body.revoked.leases).toBe(1);
        expect([ending, (await t.call(line, { as })).status < 300]).toEqual([ending, false]);
        expect(await listOf(t, applicationId)).toMatchObject([{ state: 'revoked' }]);
      }
    }),

    rule('of the organization is attached by admins alone', async (t) => {
      const { user } = (await t.ok('GET /me', { as: 'member' })).body;
      expect(user.role).toBe('member');
      const owned = await makeApplication(t, {}, 'member');
      const shared = { ...CREDENTIAL_ONLY, authMode: 'server_token', serverToken: 's' };
      const { id } = await makeIntegration(t, shared);
      const personal = await makeIntegration(t, { ...CREDENTIAL_ONLY, authMode: 'user_token' });
      const path = `/applications/${owned.id}/integrations`;
      await t.ok(`POST ${path}/${id}`, { as: 'member' });
      await t.ok(`DELETE ${path}/${id}`, { as: 'member' });
      const body = { scopes: ['mcp', 'credentials'] };
      await t.ok(`PATCH /applications/${owned.id}/oauth`, { as: 'admin', body });
      const put = { as: 'member', body: { integrationIds: [id] } } as const;
      expect((await t.problem(`POST ${path}/${id}`, { as: 'member' })).code).toBe('forbidden');
      expect((await t.problem(`PUT ${path}`, put)).code).toBe('forbidden');
      await t.ok(`POST ${path}/${personal.id}`, { as: 'member' });
      await t.ok(`POST ${path}/${id}`, { as: 'admin' });
      const both = { as: 'member', body: { integrationIds: [id, personal.id] } } as const;
      expect((await t.call(`PUT ${path}`, both)).status).toBe(200);
    }),

    rule('is refused by rules about people, of each level', async (t) => {
      const { attachment, line, as, applicationId, integrationId } = await ready(t);
      const ofIntegration = `PUT /integrations/${integrationId}/policy`;
      for (const [put, body] of [
        [`PUT ${attachment}/policy`, { userIds: [] }],
        [ofIntegration, { roles: ['member'] }],
        [ofIntegration, { perApplication: { [applicationId]: { groups: [] } } }],
      ] as const) {
        await t.ok(put, { body });
        expect((await t.problem(line, { as })).code).toBe('policy_refused');
        await t.ok(put, { body: {} });
      }
      await t.ok(`PUT ${attachment}/policy`, { body: { roles: ['owner'] } });
      await t.ok(line, { as });
      const shared = await make(t, { authMode: 'server_token', serverToken: 'server-token' });
      const itself = { applicationId: shared.applicationId, userId: null };
      const token = await t.service.addAccessToken(itself);
      await t.ok(shared.line, { as: { token } });
      await t.ok(`PUT ${shared.attachment}/policy`, { body: { roles: ['owner'] } });
      expect((await t.problem(shared.line, { as: { token } })).code).toBe('policy_refused');
    }),

    rule('is refused for a while after its lease was revoked', async (t) => {
      const { line, as, applicationId } = await ready(t);
      const { id } = (await t.ok(line, { as })).body.lease;
      const revoke = `DELETE /applications/${applicationId}/sessions/${id}`;
      await t.ok(revoke);
      await t.ok(revoke);
      const refused = await t.call(line, { as });
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_700);
      expect(await listOf(t, applicationId)).toMatchObject([{ state: 'revoked' }]);
    }),
  ],
};
