import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, redirectUris } from '../make.ts';

const patch = async (t: Api, id: string, body: unknown) =>
  (await t.ok(`PATCH /applications/${id}/oauth`, { body })).body.oauth;

export const applicationOauthCases = {
  title: 'OAuth configuration of applications',
  cases: [
    rule('is read by itself, with the version of the application', async (t) => {
      const { id, oauth } = await makeApplication(t);
      const read = await t.ok(`GET /applications/${id}/oauth`);
      expect(read.body).toStrictEqual({ oauth });
      expect(read.headers.get('etag')).toBe('"v1"');
    }),

    rule('leaves absent fields and replaces arrays whole', async (t) => {
      const { id, oauth } = await makeApplication(t, { scopes: ['mcp', 'a'] });
      const body = { scopes: ['b'], allowedResources: ['https://api.example.com/'] };
      expect(await patch(t, id, body)).toStrictEqual({ ...oauth, ...body });
      const read = await t.ok(`GET /applications/${id}/oauth`);
      expect(read.headers.get('etag')).toBe('"v2"');
      await patch(t, id, body);
      await patch(t, id, {});
      const same = await t.ok(`GET /applications/${id}/oauth`);
      expect(same.headers.get('etag')).toBe('"v2"');
    }),

    rule('can be sent back as it was read', async (t) => {
      const { id, oauth } = await makeApplication(t);
      expect(await patch(t, id, { ...oauth, pkceRequired: false })).toStrictEqual({
        ...oauth,
        pkceRequired: false,
      });
    }),

    rule('loses the secret with every change of type', async (t) => {
      const { id } = await makeApplication(t);
      expect((await patch(t, id, { type: 'public' })).clientSecretConfigured).toBe(false);
      const confidential = await patch(t, id, { type: 'confidential' });
      expect(confidential.clientSecretConfigured).toBe(false);
      const rotated = await t.ok(`POST /applications/${id}/rotate-secret`);
      expect(rotated.body.oauth.clientSecretConfigured).toBe(true);
    }),

    rule('keeps a redirect URI for a public client, by the merged result', async (t) => {
      const { id } = await makeApplication(t, { redirectUris: [] });
      const refused = await t.problem(`PATCH /applications/${id}/oauth`, {
        body: { type: 'public' },
      });
      expect([refused.status, refused.at]).toEqual([400, ['/redirectUris']]);
      expect((await patch(t, id, { type: 'public', redirectUris })).type).toBe('public');
      const emptied = { body: { redirectUris: [] } };
      const again = await t.problem(`PATCH /applications/${id}/oauth`, emptied);
      expect(again.at).toEqual(['/redirectUris']);
    }),

    rule('gets scopes with power over others from admins alone, and keeps them', async (t) => {
      for (const scope of ['credentials', 'management:read', 'management:write']) {
        const scopes = ['mcp', scope];
        const body = { name: 'x', oauth: { type: 'confidential', redirectUris, scopes } };
        const refused = await t.problem('POST /applications', { as: 'member', body });
        expect([refused.status, refused.code]).toEqual([403, 'forbidden']);
        await makeApplication(t, { scopes }, 'admin');
        const { id } = await makeApplication(t, {}, 'member');
        const line = `PATCH /applications/${id}/oauth`;
        const added = { body: { scopes } };
        expect((await t.problem(line, { as: 'member', ...added })).code).toBe('forbidden');
        await t.ok(line, { as: 'admin', ...added });
        const more = { as: 'member' as const, body: { scopes: [...scopes, 'other'] } };
        expect((await t.ok(line, more)).body.oauth.scopes).toEqual([...scopes, 'other']);
        await t.ok(line, { as: 'member', body: { scopes: ['mcp'] } });
        expect((await t.problem(line, { as: 'member', ...added })).code).toBe('forbidden');
      }
    }),

    rule('allows dynamic clients when the configuration says so', async (t) => {
      const { id, oauth } = await makeApplication(t, { allowDynamicClients: true });
      expect(oauth.allowDynamicClients).toBe(true);
      expect((await patch(t, id, { allowDynamicClients: false })).allowDynamicClients).toBe(false);
      expect((await patch(t, id, {})).allowDynamicClients).toBe(false);
    }),

    rule('refuses null, unknown fields and unknown scopes', async (t) => {
      const { id } = await makeApplication(t);
      for (const [at, body] of [
        ['/type', { type: null }],
        ['/scopes/0', { scopes: ['a b'] }],
        ['/clientSecret', { clientSecret: 'x' }],
        ['/allowedResources/0', { allowedResources: ['/relative'] }],
      ] as const) {
        const refused = await t.problem(`PATCH /applications/${id}/oauth`, { body });
        expect([refused.status, refused.at]).toEqual([400, [at]]);
      }
    }),
  ],
};
