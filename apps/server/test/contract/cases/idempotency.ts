import { expect } from 'vitest';
import { rule } from '../case.ts';
import {
  makeApplication,
  makeIntegration,
  makeMember,
  makeToken,
  onceKey,
  redirectUris,
} from '../make.ts';

const integration = { name: 'Once', url: 'https://mcp.example.com/mcp' };
const application = { name: 'Once', oauth: { type: 'confidential', redirectUris } };

export const idempotencyCases = {
  title: 'Idempotency keys',
  cases: [
    rule('the same call again answers the same, headers included', async (t) => {
      const headers = onceKey();
      const first = await t.ok('POST /integrations', { body: integration, headers });
      const again = await t.ok('POST /integrations', { body: integration, headers });
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      for (const name of ['etag', 'location']) {
        expect(again.headers.get(name)).toBe(first.headers.get(name));
      }
    }),

    rule('another body with the key is 422', async (t) => {
      const headers = onceKey();
      await t.ok('POST /integrations', { body: integration, headers });
      const body = { ...integration, name: 'Twice' };
      expect(await t.problem('POST /integrations', { body, headers })).toEqual({
        status: 422,
        code: 'idempotency_key_reused',
        at: [],
      });
    }),

    rule('a key means something only to one user, method and path', async (t) => {
      const headers = onceKey();
      const first = (await t.ok('POST /integrations', { body: integration, headers })).body;
      const asAdmin = { as: 'admin', body: integration, headers } as const;
      const other = (await t.ok('POST /integrations', asAdmin)).body;
      expect(other.integration.id).not.toBe(first.integration.id);
      await t.ok('POST /applications', { body: application, headers });
      const line = `PATCH /integrations/${first.integration.id}`;
      await t.ok(line, { body: { name: 'Renamed' }, headers });
    }),

    rule('an id in the path means the same however it is written', async (t) => {
      const { id } = await makeApplication(t);
      const headers = onceKey();
      const first = await t.ok(`POST /applications/${id}/rotate-secret`, { headers });
      for (const other of [id.toUpperCase(), id.replaceAll('-', '%2D')]) {
        const again = await t.ok(`POST /applications/${other}/rotate-secret`, { headers });
        expect(again.body).toEqual(first.body);
      }
    }),

    rule('a body is the same in any order of its keys, and {} equals no body', async (t) => {
      const headers = onceKey();
      const body = { ...integration, capabilities: { tools: { a: 1, b: [1, 2] }, prompts: {} } };
      const first = await t.ok('POST /integrations', { body, headers });
      const { name, url } = integration;
      const tools = { b: [1, 2], a: 1 };
      const turned = { capabilities: { prompts: {}, tools }, url, name };
      const again = await t.ok('POST /integrations', { body: turned, headers });
      expect(again.body).toEqual(first.body);
      const other = { ...turned, capabilities: { prompts: {}, tools: { ...tools, b: [2, 1] } } };
      expect((await t.problem('POST /integrations', { body: other, headers })).status).toBe(422);
      const line = `POST /applications/${(await makeApplication(t)).id}/rotate-secret`;
      const rotated = await t.ok(line, { headers });
      expect((await t.ok(line, { body: {}, headers })).body).toEqual(rotated.body);
    }),

    rule(
      'a body that is wrong whatever is stored is refused before the key is looked at',
      async (t) => {
        const headers = onceKey();
        await t.ok('POST /integrations', { body: integration, headers });
        const body = { name: 'x', url: 'http://10.0.0.1/' };
        expect(await t.problem('POST /integrations', { body, headers })).toEqual({
          status: 400,
          code: 'egress_denied',
          at: ['/url'],
        });
      },
    ),

    rule('a refusal is not kept', async (t) => {
      const headers = onceKey();
      await t.problem('POST /integrations', { body: { name: 'x' }, headers });
      expect((await t.call('POST /integrations', { body: integration, headers })).status).toBe(201);
      const { id } = await makeIntegration(t);
      const key = onceKey();
      const stale = { body: { name: 'A' }, headers: { ...key, 'if-match': '"v9"' } };
      expect((await t.call(`PATCH /integrations/${id}`, stale)).status).toBe(412);
      const other = { body: { name: 'B' }, headers: key };
      expect((await t.call(`PATCH /integrations/${id}`, other)).status).toBe(200);
    }),

    rule('a PATCH is carried out once', async (t) => {
      const { id } = await makeIntegration(t);
      const options = { body: { name: 'A' }, headers: onceKey() };
      await t.ok(`PATCH /integrations/${id}`, options);
      await t.ok(`PATCH /integrations/${id}`, { body: { name: 'B' } });
      const again = await t.ok(`PATCH /integrations/${id}`, options);
      expect(again.body.integration.name).toBe('A');
      const read = await t.ok(`GET /integrations/${id}`);
      expect(read.body.integration.name).toBe('B');
    }),

    rule('a PUT is carried out once, also one with If-Match', async (t) => {
      const { id } = await makeIntegration(t);
      const etag = (await t.ok(`GET /integrations/${id}`)).headers.get('etag') ?? '';
      const line = `PUT /integrations/${id}/policy`;
      const options = {
        body: { tools: { deny: ['a'] } },
        headers: { ...onceKey(), 'if-match': etag },
      };
      const first = await t.ok(line, options);
      const again = await t.ok(line, options);
      expect([again.body, again.headers.get('etag')]).toEqual([
        first.body,
        first.headers.get('etag'),
      ]);
      const other = { ...options, headers: { ...onceKey(), 'if-match': etag } };
      const refused = await t.call(line, other);
      expect([refused.status, refused.headers.get('etag')]).toEqual([
        412,
        first.headers.get('etag'),
      ]);
    }),

    rule('a DELETE that removed its row answers its key again, and no other', async (t) => {
      const group = await t.ok('POST /groups', { body: { name: crypto.randomUUID() } });
      const token = await t.ok('POST /tokens', { body: { name: 'once', scopes: ['mcp'] } });
      for (const line of [
        `DELETE /groups/${group.body.group.id}`,
        `DELETE /tokens/${token.body.token.id}`,
      ]) {
        const headers = onceKey();
        await t.ok(line, { headers });
        expect([line, (await t.call(line, { headers })).status]).toEqual([line, 204]);
        const other = await t.call(line, { headers: onceKey() });
        expect([line, other.status]).toEqual([line, 404]);
      }
    }),

    rule('a PUT is replayed only to callers who may repeat it', async (t) => {
      const { token, id: memberId } = await makeMember(t, 'admin');
      const { id } = await makeApplication(t);
      const line = `PUT /applications/${id}/integrations`;
      const options = { as: { token }, body: { integrationIds: [] }, headers: onceKey() };
      await t.ok(line, options);
      await t.ok(`PATCH /members/${memberId}`, { body: { role: 'member' } });
      expect((await t.problem(line, options)).code).toBe('not_found');
    }),

    rule('a key that is too long or not ASCII is refused', async (t) => {
      for (const key of ['x'.repeat(256), 'a b', 'é']) {
        const headers = { 'idempotency-key': key };
        const answer = await t.problem('POST /integrations', { body: integration, headers });
        expect(answer).toEqual({
          status: 400,
          code: 'validation_failed',
          at: ['Idempotency-Key'],
        });
      }
    }),

    rule('a one-time secret is delivered again to the same call', async (t) => {
      const headers = onceKey();
      const first = await t.ok('POST /applications', { body: application, headers });
      const again = await t.ok('POST /applications', { body: application, headers });
      expect(first.body.oauth.clientSecret).toMatch(/^gh_cs_[\w-]{43}$/);
      expect(again.body.oauth.clientSecret).toBe(first.body.oauth.clientSecret);
    }),

    rule('a later rotation, change of type or archive forgets the secret', async (t) => {
      for (const [what, body] of [
        ['POST /rotate-secret', undefined],
        ['PATCH /oauth', { type: 'public' }],
        ['DELETE ', undefined],
      ] as const) {
        const headers = onceKey();
        const created = await t.ok('POST /applications', { body: application, headers });
        const line = what.replace(' ', ` /applications/${created.body.application.id}`);
        await t.ok(line, body === undefined ? {} : { body });
        const again = await t.problem('POST /applications', { body: application, headers });
        expect([what, again.code]).toEqual([what, 'secret_no_longer_available']);
      }
    }),

    rule('a repeated rotation delivers the secret of the first, until the next', async (t) => {
      const { id } = await makeApplication(t);
      const headers = onceKey();
      const line = `POST /applications/${id}/rotate-secret`;
      const first = await t.ok(line, { headers });
      const again = await t.ok(line, { headers });
      expect(again.body).toEqual(first.body);
      await t.ok(line);
      expect((await t.problem(line, { headers })).code).toBe('secret_no_longer_available');
    }),

    rule('revoking a token forgets its secret', async (t) => {
      const headers = onceKey();
      const body = { name: 'once', scopes: ['mcp'] };
      const first = await t.ok('POST /tokens', { body, headers });
      expect((await t.ok('POST /tokens', { body, headers })).body).toEqual(first.body);
      await t.ok(`DELETE /tokens/${first.body.token.id}`);
      const again = await t.problem('POST /tokens', { body, headers });
      expect(again.code).toBe('secret_no_longer_available');
    }),

    rule('an invitation is delivered again to the same call', async (t) => {
      const headers = onceKey();
      const body = { email: `${crypto.randomUUID()}@example.com`, name: 'M', role: 'member' };
      const first = await t.ok('POST /members', { body, headers });
      expect((await t.ok('POST /members', { body, headers })).body).toEqual(first.body);
      expect((await t.problem('POST /members', { body })).code).toBe('email_taken');
    }),

    rule('removing an invited member forgets the invitation', async (t) => {
      const headers = onceKey();
      const body = { email: `${crypto.randomUUID()}@example.com`, name: 'M', role: 'member' };
      const { body: invited } = await t.ok('POST /members', { body, headers });
      await t.ok(`DELETE /members/${invited.member.id}`);
      const again = await t.problem('POST /members', { body, headers });
      expect(again.code).toBe('secret_no_longer_available');
    }),

    rule('a replay comes after the role of the caller', async (t) => {
      const { id, token } = await makeMember(t, 'admin');
      const options = { as: { token }, body: integration, headers: onceKey() };
      await t.ok('POST /integrations', options);
      await t.ok(`PATCH /members/${id}`, { body: { role: 'member' } });
      expect((await t.call('POST /integrations', options)).status).toBe(403);
    }),

    rule('a narrower token does not get the secret of a wider one', async (t) => {
      const options = { body: { name: 'wide', scopes: ['mcp'] }, headers: onceKey() };
      await t.ok('POST /tokens', options);
      const as = { token: await makeToken(t, ['management:write']) };
      expect((await t.problem('POST /tokens', { as, ...options })).code).toBe('forbidden');
    }),

    rule('a demoted owner does not get the invitation of an owner again', async (t) => {
      const { id, token } = await makeMember(t, 'owner');
      const body = { email: `${crypto.randomUUID()}@example.com`, name: 'M', role: 'owner' };
      const options = { as: { token }, body, headers: onceKey() };
      await t.ok('POST /members', options);
      await t.ok(`PATCH /members/${id}`, { body: { role: 'admin' } });
      expect((await t.problem('POST /members', options)).code).toBe('forbidden');
    }),

    rule('a change of a member is replayed only to callers who may repeat it', async (t) => {
      const { id } = await makeMember(t, 'member');
      const options = { as: 'admin', body: { name: 'N' }, headers: onceKey() } as const;
      await t.ok(`PATCH /members/${id}`, options);
      await t.ok(`PATCH /members/${id}`, { body: { role: 'owner' } });
      expect((await t.problem(`PATCH /members/${id}`, options)).code).toBe('forbidden');
    }),

    rule('an invitation gets its own response again, and no other', async (t) => {
      const email = `${crypto.randomUUID()}@example.com`;
      const invited = await t.ok('POST /members', { body: { email, name: 'M', role: 'member' } });
      const invitation = { token: invited.body.invitation };
      const scopes = ['mcp', 'management:write'];
      const options = { body: { name: 'x', scopes }, headers: onceKey() };
      const first = await t.ok('POST /tokens', { as: invitation, ...options });
      const again = await t.ok('POST /tokens', { as: invitation, ...options });
      expect(again.body).toEqual(first.body);
      const member = { token: first.body.secret };
      const other = await t.ok('POST /tokens', { as: member, ...options });
      expect(other.body.token.id).not.toBe(first.body.token.id);
      const later = { body: options.body, headers: onceKey() };
      await t.ok('POST /tokens', { as: member, ...later });
      const refused = await t.problem('POST /tokens', { as: invitation, ...later });
      expect(refused.code).toBe('invitation_used');
    }),
  ],
};
