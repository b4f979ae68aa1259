import { expect } from 'vitest';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember, makeToken, onceKey } from '../make.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const link = /^https?:\/\/[^/]+\/sign-in\/link\/[\w-]{43}$/;

export const accountCases = {
  title: 'Account',
  cases: [
    rule('/me tells who the token names', async (t) => {
      const { body } = await t.ok('GET /me', { as: 'member' });
      expect(body).toStrictEqual({
        user: {
          id: expect.any(String),
          email: expect.any(String),
          name: expect.any(String),
          role: 'member',
        },
        organization: { id: expect.any(String), name: expect.any(String) },
        authentication: {
          method: 'personal_token',
          tokenId: expect.any(String),
          scopes: ['mcp', 'management:read', 'management:write'],
        },
      });
    }),

    rule('/me tells how the request is authenticated', async (t) => {
      const expiresAt = new Date(Date.now() + 60_000).toISOString();
      const body = { name: 'CI', scopes: ['mcp'], expiresAt };
      const { token, secret } = (await t.ok('POST /tokens', { body })).body;
      const read = await t.ok('GET /me', { as: { token: secret } });
      expect(read.body.authentication).toStrictEqual({
        method: 'personal_token',
        tokenId: token.id,
        scopes: ['mcp'],
        expiresAt,
      });
      const { invitation } = await makeMember(t, 'member');
      const invited = await t.ok('GET /me', { as: { token: invitation } });
      expect(invited.body.authentication).toStrictEqual({
        method: 'invitation',
        tokenId: expect.any(String),
        scopes: [],
        expiresAt: expect.stringMatching(instant),
      });
    }),

    rule('admins name the organization, and everyone reads the name in /me', async (t) => {
      const { organization } = (await t.ok('GET /me')).body;
      const patch = (body: object) => ({ as: 'admin', headers: onceKey(), body }) as const;
      const named = await t.call('PATCH /organization', patch({ name: '  Example Ltd. ' }));
      const shown = { id: organization.id, name: 'Example Ltd.' };
      expect([named.status, named.body]).toStrictEqual([200, { organization: shown }]);
      expect((await t.ok('GET /me', { as: 'member' })).body.organization).toStrictEqual(shown);
      expect((await t.ok('GET /me', { as: 'stranger' })).body.organization).not.toEqual(shown);
      const same = await t.ok('PATCH /organization', patch({}));
      expect(same.body).toStrictEqual({ organization: shown });
      for (const name of ['', null, 'x'.repeat(201), 'a\u202eb']) {
        const refused = await t.problem('PATCH /organization', patch({ name }));
        expect([refused.status, refused.at]).toEqual([400, ['/name']]);
      }
    }),

    rule('a token is made with a secret that stands in no later read', async (t) => {
      const expiresAt = new Date(Date.now() + 60_000).toISOString();
      const body = { name: 'CI', scopes: ['mcp', 'management:read', 'mcp'], expiresAt };
      const made = await t.call('POST /tokens', { body });
      expect(made.status).toBe(201);
      const { id } = made.body.token;
      expect(made.headers.get('location')).toBe(`${t.service.baseUrl}/tokens/${id}`);
      expect(made.body).toStrictEqual({
        token: {
          id,
          name: 'CI',
          scopes: ['mcp', 'management:read'],
          createdAt: expect.stringMatching(instant),
          expiresAt,
          lastUsedAt: null,
        },
        secret: expect.stringMatching(/^gh_pat_[\w-]{43}$/),
      });
      const { items } = (await t.ok('GET /tokens?limit=100')).body;
      expect(items[0]).toStrictEqual(made.body.token);
      expect(JSON.stringify(items)).not.toContain(made.body.secret);
    }),

    rule('a token that has expired, allows nothing or too much cannot be made', async (t) => {
      for (const [at, fields] of [
        ['/expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
        ['/expiresAt', { expiresAt: 'tomorrow' }],
        ['/scopes', { scopes: [] }],
        ['/scopes/0', { scopes: ['all'] }],
      ] as const) {
        const body = { name: 'x', scopes: ['mcp'], ...fields };
        const refused = await t.problem('POST /tokens', { body });
        expect([refused.status, refused.at]).toEqual([400, [at]]);
      }
      const as = { token: await makeToken(t, ['management:write']) };
      const more = { name: 'x', scopes: ['mcp'] };
      expect((await t.problem('POST /tokens', { as, body: more })).code).toBe('forbidden');
    }),

    rule('a token that expires cannot create one that lives longer', async (t) => {
      const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
      const expiresAt = inMinutes(10);
      const scopes = ['mcp', 'management:write'];
      const made = await t.ok('POST /tokens', { body: { name: 'x', scopes, expiresAt } });
      const as = { token: made.body.secret };
      const create = (fields: object) => ({ as, body: { name: 'y', scopes: ['mcp'], ...fields } });
      for (const fields of [{}, { expiresAt: null }, { expiresAt: inMinutes(11) }]) {
        expect((await t.problem('POST /tokens', create(fields))).code).toBe('forbidden');
      }
      await t.ok('POST /tokens', create({ expiresAt }));
      await t.ok('POST /tokens', create({ expiresAt: inMinutes(9) }));
    }),

    rule('a revoked token is refused at once', async (t) => {
      const body = { name: 'x', scopes: ['management:read'] };
      const made = (await t.ok('POST /tokens', { body })).body;
      const as = { token: made.secret };
      expect((await t.call('GET /me', { as })).status).toBe(200);
      await t.ok(`DELETE /tokens/${made.token.id}`);
      expect((await t.problem('GET /me', { as })).code).toBe('unauthenticated');
      expect((await t.call(`DELETE /tokens/${made.token.id}`)).status).toBe(404);
    }),

    rule('members revoke their own tokens, admins any', async (t) => {
      const body = { name: 'x', scopes: ['mcp'] };
      const owners = (await t.ok('POST /tokens', { body })).body.token.id;
      const members = (await t.ok('POST /tokens', { as: 'member', body })).body.token.id;
      expect((await t.call(`DELETE /tokens/${owners}`, { as: 'member' })).status).toBe(404);
      expect((await t.call(`DELETE /tokens/${owners}`, { as: 'stranger' })).status).toBe(404);
      await t.ok(`DELETE /tokens/${owners}`, { as: 'admin' });
      await t.ok(`DELETE /tokens/${members}`, { as: 'member' });
    }),

    rule('a member is added with an invitation', async (t) => {
      const email = `New.${crypto.randomUUID()}@Example.com`;
      const body = { email, name: 'New', role: 'admin' };
      const made = await t.call('POST /members', { body });
      expect(made.status).toBe(201);
      const { id } = made.body.member;
      expect(made.headers.get('location')).toBe(`${t.service.baseUrl}/members/${id}`);
      expect(made.body).toStrictEqual({
        member: {
          id,
          email: email.toLowerCase(),
          name: 'New',
          role: 'admin',
          createdAt: expect.stringMatching(instant),
        },
        invitation: expect.stringMatching(/^gh_inv_[\w-]{43}$/),
        invitationUrl: expect.stringMatching(link),
      });
      const { items } = (await t.ok('GET /members?limit=100', { as: 'admin' })).body;
      expect(items).toContainEqual(made.body.member);
      expect((await t.problem('POST /members', { body })).code).toBe('email_taken');
    }),

    rule('a link to choose a password is made by admins, each time another one', async (t) => {
      const { id } = await makeMember(t, 'member');
      const line = `POST /members/${id}/sign-in-link`;
      const minutesOf = ({ expiresAt }: { expiresAt: string }) =>
        Math.round((Date.parse(expiresAt) - Date.now()) / 60_000);
      const invited = await t.call(line, { as: 'admin', headers: onceKey() });
      const shape = { url: expect.stringMatching(link), expiresAt: expect.stringMatching(instant) };
      expect([invited.status, invited.body]).toStrictEqual([201, shape]);
      expect(invited.headers.get('location')).toBeNull();
      expect(minutesOf(invited.body)).toBe(7 * 24 * 60);
      const reset = (await t.ok(line, { body: { purpose: 'reset' } })).body;
      expect(minutesOf(reset)).toBe(60);
      expect(reset.url).not.toBe(invited.body.url);
      const wrong = await t.problem(line, { body: { purpose: 'sign_in' } });
      expect([wrong.status, wrong.at]).toEqual([400, ['/purpose']]);
      expect((await t.call(line, { as: 'stranger' })).status).toBe(404);
    }),

    rule(
      'a link is repeated for its key until it is replaced, and ends with a promotion',
      async (t) => {
        const { id } = await makeMember(t, 'member');
        const line = `POST /members/${id}/sign-in-link`;
        const options = { headers: onceKey() };
        const first = (await t.ok(line, options)).body;
        expect((await t.ok(line, options)).body).toEqual(first);
        const next = { headers: onceKey() };
        await t.ok(line, next);
        expect((await t.problem(line, options)).code).toBe('secret_no_longer_available');
        await t.ok(`PATCH /members/${id}`, { body: { role: 'admin' } });
        expect((await t.problem(line, next)).code).toBe('secret_no_longer_available');
      },
    ),

    rule('a change of role holds at once', async (t) => {
      const { id, token } = await makeMember(t, 'member');
      const as = { token };
      expect((await t.call('GET /members', { as })).status).toBe(403);
      const changed = await t.ok(`PATCH /members/${id}`, { body: { role: 'admin', name: 'N' } });
      expect(changed.body.member).toMatchObject({ id, role: 'admin', name: 'N' });
      expect((await t.call('GET /members', { as })).status).toBe(200);
    }),

    rule('a promotion ends the invitation that is out', async (t) => {
      const email = `${crypto.randomUUID()}@example.com`;
      const options = { body: { email, name: 'M', role: 'admin' }, headers: onceKey() };
      const { member, invitation } = (await t.ok('POST /members', options)).body;
      const as = { token: invitation };
      await t.ok(`PATCH /members/${member.id}`, { body: { name: 'N', role: 'member' } });
      expect((await t.call('GET /me', { as })).status).toBe(200);
      await t.ok(`PATCH /members/${member.id}`, { body: { role: 'owner' } });
      expect((await t.problem('GET /me', { as })).code).toBe('unauthenticated');
      const again = await t.problem('POST /members', options);
      expect(again.code).toBe('secret_no_longer_available');
    }),

    rule('only owners make, change or remove owners', async (t) => {
      const { id } = await makeMember(t, 'owner');
      const { id: other } = await makeMember(t, 'member');
      const email = `${crypto.randomUUID()}@example.com`;
      for (const [line, body] of [
        ['POST /members', { email, name: 'x', role: 'owner' }],
        [`PATCH /members/${other}`, { role: 'owner' }],
        [`PATCH /members/${id}`, { name: 'x' }],
        [`DELETE /members/${id}`, undefined],
        [`POST /members/${id}/sign-in-link`, undefined],
      ] as const) {
        const options = body === undefined ? {} : { body };
        const refused = await t.problem(line, { as: 'admin', ...options });
        expect([line, refused.code]).toEqual([line, 'forbidden']);
      }
      await t.ok(`PATCH /members/${id}`, { body: { role: 'admin' } });
    }),

    rule('the last owner stays an owner', async (t) => {
      const { user } = (await t.ok('GET /me', { as: 'stranger' })).body;
      const as = 'stranger';
      const demoted = await t.problem(`PATCH /members/${user.id}`, { as, body: { role: 'admin' } });
      const removed = await t.problem(`DELETE /members/${user.id}`, { as });
      expect([demoted.code, removed.code]).toEqual(['last_owner', 'last_owner']);
      await t.ok(`PATCH /members/${user.id}`, { as, body: { role: 'owner' } });
    }),

    rule('a removed member loses tokens and sessions, and the applications stay', async (t) => {
      const { id, token, email } = await makeMember(t, 'member');
      const as = { token };
      const { id: applicationId } = await makeApplication(t, {}, as);
      const archived = await makeApplication(t, {}, as);
      await t.ok(`DELETE /applications/${archived.id}`, { as });
      await makeApplication(t, { type: 'public' }, as);
      const { id: integrationId } = await makeIntegration(t, { authMode: 'user_token' });
      await t.ok(`POST /integrations/${integrationId}/connection`, { as, body: { token: 'x' } });
      const removed = await t.call(`DELETE /members/${id}`);
      const known = { id: applicationId, name: 'Assistant' };
      expect([removed.status, removed.body]).toEqual([200, { applications: [known], groups: [] }]);
      expect((await t.problem('GET /me', { as })).code).toBe('unauthenticated');
      const { application } = (await t.ok(`GET /applications/${applicationId}`)).body;
      expect(application).toMatchObject({ ownerUserId: id, archivedAt: null, canModify: true });
      expect((await t.call(`DELETE /members/${id}`)).status).toBe(404);
      const body = { email, name: 'Again', role: 'member' };
      expect((await t.call('POST /members', { body })).status).toBe(201);
    }),
  ],
};
