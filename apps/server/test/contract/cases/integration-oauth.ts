import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeIntegration, NOWHERE } from '../make.ts';

const config = { provider: 'github', issuer: 'https://id.example.com', scopes: ['repo'] };

async function put(t: Api, id: string, body: unknown) {
  return (await t.ok(`PUT /integrations/${id}/oauth`, { body })).body.oauth;
}

const makeOauth = (t: Api) => makeIntegration(t, { authMode: 'oauth' });

export const integrationOauthCases = {
  title: 'OAuth configuration of integrations',
  cases: [
    rule('is put whole, and read back without its secrets', async (t) => {
      const { id } = await makeOauth(t);
      const full = {
        ...config,
        clientId: 'client',
        clientSecret: 'the-secret-of-the-client',
        tokenEndpointAuthMethod: 'client_secret_post',
        authorizationParams: { audience: 'x' },
        tokenParams: { hidden: 'the-secret-parameter' },
        resource: 'https://mcp.example.com/',
      };
      const { clientSecret, tokenParams, ...shown } = full;
      const answer = await t.ok(`PUT /integrations/${id}/oauth`, { body: full });
      expect(answer.body).toStrictEqual({
        oauth: {
          ...shown,
          clientSecretConfigured: true,
          tokenParamNames: ['hidden'],
          redirectUri: expect.stringMatching(new RegExp(`^https?://[^/]+/oauth/callback/${id}$`)),
        },
      });
      expect(answer.headers.get('etag')).toBe('"v2"');
      const read = await t.ok(`GET /integrations/${id}/oauth`);
      expect(read.body).toStrictEqual(answer.body);
      expect(read.headers.get('etag')).toBe('"v2"');
      expect(JSON.stringify(read.body)).not.toContain('the-secret');
      const integration = await t.ok(`GET /integrations/${id}`, { as: 'member' });
      expect(integration.body.integration.oauth).toStrictEqual(config);
    }),

    rule('takes no redirect URI but the one that it shows', async (t) => {
      const { id } = await makeOauth(t);
      const shown = await put(t, id, { ...config, clientId: 'client' });
      expect(await put(t, id, { ...config, redirectUri: shown.redirectUri })).toMatchObject({
        redirectUri: shown.redirectUri,
      });
      const body = { ...config, redirectUri: `${shown.redirectUri}0` };
      const refused = await t.problem(`PUT /integrations/${id}/oauth`, { body });
      expect([refused.status, refused.at]).toEqual([400, ['/redirectUri']]);
    }),

    rule('needs provider, issuer and scopes, and no parameter of the flow', async (t) => {
      const { id } = await makeOauth(t);
      const faults: [string[], object][] = [
        [['/provider', '/issuer', '/scopes'], {}],
        [['/issuer'], { ...config, issuer: 'https://id.example.com/?a=1' }],
        [['/tokenParams/grant_type'], { ...config, tokenParams: { grant_type: 'x' } }],
        [['/typo'], { ...config, typo: 1 }],
      ];
      for (const [at, body] of faults) {
        const refused = await t.problem(`PUT /integrations/${id}/oauth`, { body });
        expect([refused.status, refused.at]).toEqual([400, at]);
      }
    }),

    rule('keeps a secret not given while client id and issuer stay', async (t) => {
      const { id } = await makeOauth(t);
      const withClient = { ...config, clientId: 'client' };
      await put(t, id, { ...withClient, clientSecret: 's', tokenParams: { a: 'b' } });
      const kept = await put(t, id, { ...withClient, provider: 'gitlab' });
      expect(kept.clientSecretConfigured).toBe(true);
      const moved = await put(t, id, { ...withClient, clientId: 'other' });
      expect(moved.clientSecretConfigured).toBe(false);
      const back = await put(t, id, withClient);
      expect(back.clientSecretConfigured).toBe(false);
    }),

    rule('loses everything else that is not given', async (t) => {
      const { id } = await makeOauth(t);
      const more = { clientId: 'client', tokenParams: { a: 'b' }, authorizationParams: { c: 'd' } };
      expect((await put(t, id, { ...config, ...more })).tokenParamNames).toEqual(['a']);
      const replaced = await put(t, id, { ...config, clientId: 'client' });
      expect(replaced).toStrictEqual({
        ...config,
        clientId: 'client',
        clientSecretConfigured: false,
        redirectUri: expect.any(String),
      });
    }),

    rule('put as it is changes nothing, unless a secret is given', async (t) => {
      const { id } = await makeOauth(t);
      const line = `PUT /integrations/${id}/oauth`;
      const etagAfter = async (body: object) => (await t.ok(line, { body })).headers.get('etag');
      const full = { ...config, clientId: 'client', authorizationParams: { a: 'x', b: 'y' } };
      expect(await etagAfter({ ...full, clientSecret: 's' })).toBe('"v2"');
      const turned = { authorizationParams: { b: 'y', a: 'x' }, clientId: 'client', ...config };
      expect(await etagAfter(turned)).toBe('"v2"');
      expect(await etagAfter({ ...full, clientSecret: 's' })).toBe('"v3"');
      expect(await etagAfter({ ...full, clientSecret: null })).toBe('"v4"');
      expect(await etagAfter({ ...full, clientSecret: null })).toBe('"v4"');
    }),

    rule('refuses a parameter that could not be kept', async (t) => {
      const { id } = await makeOauth(t);
      for (const field of ['tokenParams', 'authorizationParams']) {
        const raw = JSON.stringify(config).replace('}', `,"${field}":{"__proto__":"a"}}`);
        const headers = { 'content-type': 'application/json' };
        const refused = await t.problem(`PUT /integrations/${id}/oauth`, { raw, headers });
        expect([refused.status, refused.at]).toEqual([400, [`/${field}/__proto__`]]);
      }
    }),

    rule('drops a secret with null', async (t) => {
      const { id } = await makeOauth(t);
      await put(t, id, { ...config, clientSecret: 's', tokenParams: { a: 'b' } });
      const dropped = await put(t, id, { ...config, clientSecret: null, tokenParams: null });
      expect(dropped).toStrictEqual({
        ...config,
        clientSecretConfigured: false,
        redirectUri: expect.any(String),
      });
    }),

    rule('keeps what only its own endpoint sets when the integration is patched', async (t) => {
      const { id } = await makeOauth(t);
      await put(t, id, { ...config, clientId: 'client', clientSecret: 's' });
      await t.ok(`PATCH /integrations/${id}`, { body: { oauth: { ...config, provider: 'x' } } });
      const { oauth } = (await t.ok(`GET /integrations/${id}/oauth`)).body;
      expect(oauth).toMatchObject({ provider: 'x', clientId: 'client' });
      expect(oauth.clientSecretConfigured).toBe(true);
    }),

    rule('can be put in any mode, and is read in mode oauth alone', async (t) => {
      const { id } = await makeIntegration(t);
      await put(t, id, config);
      const read = `GET /integrations/${id}/oauth`;
      expect((await t.problem(read)).code).toBe('auth_mode_mismatch');
      await t.ok(`PATCH /integrations/${id}`, { body: { authMode: 'oauth' } });
      expect((await t.call(read)).status).toBe(200);
    }),

    rule('is a 404 with its own code once it was removed, until it is set again', async (t) => {
      const { id } = await makeOauth(t);
      await t.ok(`DELETE /integrations/${id}/oauth`);
      const line = `GET /integrations/${id}/oauth`;
      const missing = { status: 404, code: 'oauth_not_configured', at: [] };
      expect(await t.problem(line)).toEqual(missing);
      await t.ok(`PATCH /integrations/${id}`, { body: { name: 'x', authMode: 'oauth' } });
      expect(await t.problem(line)).toEqual(missing);
      await t.ok(`PATCH /integrations/${id}`, { body: { oauth: {} } });
      expect((await t.call(line)).status).toBe(200);
    }),

    rule('begins empty in the mode oauth, and stays away where it is null', async (t) => {
      const empty = { scopes: [] };
      const made = await makeOauth(t);
      expect(made.oauth).toStrictEqual(empty);
      const read = await t.ok(`GET /integrations/${made.id}/oauth`);
      expect(read.body.oauth).toStrictEqual({
        ...empty,
        clientSecretConfigured: false,
        redirectUri: expect.any(String),
      });
      const { id, oauth } = await makeIntegration(t);
      expect(oauth).toBeUndefined();
      const patch = async (body: object) =>
        (await t.ok(`PATCH /integrations/${id}`, { body })).body.integration.oauth;
      expect(await patch({ authMode: 'oauth', oauth: null })).toBeUndefined();
      await patch({ authMode: 'none' });
      expect(await patch({ authMode: 'oauth' })).toStrictEqual(empty);
      await patch({ oauth: config, authMode: 'none' });
      expect(await patch({ authMode: 'oauth' })).toStrictEqual(config);
    }),

    rule('is deleted in any mode, which stays, and again without effect', async (t) => {
      const { id } = await makeIntegration(t, { authMode: 'oauth', oauth: config });
      const line = `DELETE /integrations/${id}/oauth`;
      const deleted = await t.call(line);
      expect([deleted.status, deleted.body]).toEqual([204, undefined]);
      const { body, headers } = await t.ok(`GET /integrations/${id}`);
      expect(body.integration.authMode).toBe('oauth');
      expect(body.integration).not.toHaveProperty('oauth');
      expect(headers.get('etag')).toBe('"v2"');
      expect((await t.call(line)).status).toBe(204);
      expect((await t.ok(`GET /integrations/${id}`)).headers.get('etag')).toBe('"v2"');
    }),

    rule('shares the version of its integration', async (t) => {
      const { id } = await makeOauth(t);
      const stale = { 'if-match': '"v9"' };
      for (const [line, body] of [
        [`PUT /integrations/${id}/oauth`, config],
        [`DELETE /integrations/${id}/oauth`, undefined],
      ] as const) {
        const options = { headers: stale, ...(body === undefined ? {} : { body }) };
        expect((await t.call(line, options)).status).toBe(412);
      }
      const unknown = { body: config, headers: stale };
      expect((await t.call(`PUT /integrations/${NOWHERE}/oauth`, unknown)).status).toBe(404);
      await t.ok(`PUT /integrations/${id}/oauth`, {
        body: config,
        headers: { 'if-match': '"v1"' },
      });
    }),
  ],
};
