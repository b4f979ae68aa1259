import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeIntegration } from '../make.ts';

const patch = async (t: Api, id: string, body: unknown) =>
  (await t.ok(`PATCH /integrations/${id}`, { body })).body.integration;

export const integrationUpdateCases = {
  title: 'Changes of integrations',
  cases: [
    rule('leave absent fields, clear with null, and replace objects whole', async (t) => {
      const made = await makeIntegration(t, {
        capabilities: { tools: {}, prompts: {} },
        credentialSchema: { properties: {} },
        oauth: { provider: 'p', issuer: 'https://id.example.com', scopes: ['a'] },
      });
      const changed = await patch(t, made.id, {
        capabilities: { tools: { listChanged: true } },
        credentialSchema: null,
        oauth: { issuer: 'https://id.example.com' },
      });
      const { credentialSchema: _gone, ...kept } = made;
      expect(changed).toStrictEqual({
        ...kept,
        capabilities: { tools: { listChanged: true } },
        oauth: { issuer: 'https://id.example.com', scopes: [] },
        updatedAt: changed.updatedAt,
      });
      expect(await patch(t, made.id, { oauth: null, capabilities: null })).not.toMatchObject({
        oauth: expect.anything(),
      });
    }),

    rule('turn validations by the service on and off', async (t) => {
      const made = await makeIntegration(t, { validateEveryMinutes: 60 });
      expect(made.validateEveryMinutes).toBe(60);
      const change = async (validateEveryMinutes: number | null) =>
        (await t.ok(`PATCH /integrations/${made.id}`, { body: { validateEveryMinutes } })).body
          .integration;
      expect((await change(10_080)).validateEveryMinutes).toBe(10_080);
      expect(await change(null)).not.toHaveProperty('validateEveryMinutes');
      expect(await makeIntegration(t)).not.toHaveProperty('validateEveryMinutes');
      for (const wrong of [4, 10_081, 7.5, '60']) {
        const body = { validateEveryMinutes: wrong };
        const refused = await t.problem(`PATCH /integrations/${made.id}`, { body });
        expect([wrong, refused.at]).toEqual([wrong, ['/validateEveryMinutes']]);
      }
    }),

    rule('refuse null where nothing can be cleared', async (t) => {
      const { id } = await makeIntegration(t);
      for (const field of ['name', 'url', 'category', 'authMode']) {
        const { at } = await t.problem(`PATCH /integrations/${id}`, { body: { [field]: null } });
        expect(at).toEqual([`/${field}`]);
      }
    }),

    rule('keep a credential schema that can send the server token', async (t) => {
      const properties = { a: { type: 'string' }, b: { type: 'string' } };
      const fitting = { properties: { a: properties.a } };
      const shared = { authMode: 'server_token', serverToken: 's' };
      const faults: [Record<string, unknown>, object][] = [
        [{ ...shared, credentialSchema: fitting }, { credentialSchema: { properties } }],
        [{ credentialSchema: { properties } }, shared],
        [
          { ...shared, authMode: 'none' },
          { ...shared, credentialSchema: { properties } },
        ],
      ];
      for (const [fields, body] of faults) {
        const { id } = await makeIntegration(t, fields);
        const { status, code, at } = await t.problem(`PATCH /integrations/${id}`, { body });
        expect([status, code, at]).toEqual([400, 'validation_failed', ['/credentialSchema']]);
        await patch(t, id, { ...shared, credentialSchema: fitting });
      }
    }),

    rule('of nothing change nothing, the version included', async (t) => {
      const made = await makeIntegration(t);
      const answer = await t.ok(`PATCH /integrations/${made.id}`, { body: {} });
      expect(answer.body.integration).toEqual(made);
      expect(answer.headers.get('etag')).toBe('"v1"');
    }),

    rule('to what is there already change nothing, unless a server token is given', async (t) => {
      const made = await makeIntegration(t, {
        authMode: 'server_token',
        serverToken: 'shared',
        capabilities: { tools: { a: 1, b: 2 } },
        oauth: { issuer: 'https://id.example.com' },
      });
      const line = `PATCH /integrations/${made.id}`;
      await t.ok(`POST /integrations/${made.id}/validate`);
      const { integration: read } = (await t.ok(`GET /integrations/${made.id}`)).body;
      for (const body of [
        read,
        { name: ` ${read.name} ` },
        { capabilities: { tools: { b: 2, a: 1 } }, credentialSchema: null },
      ]) {
        const same = await t.ok(line, { body });
        expect([same.body.integration, same.headers.get('etag')]).toEqual([read, '"v1"']);
      }
      const again = await t.ok(line, { body: { serverToken: 'shared' } });
      expect(again.headers.get('etag')).toBe('"v2"');
      const none = await makeIntegration(t);
      const cleared = await t.ok(`PATCH /integrations/${none.id}`, { body: { serverToken: null } });
      expect(cleared.headers.get('etag')).toBe('"v1"');
    }),

    rule('make a new version, and If-Match holds only for the present one', async (t) => {
      const { id } = await makeIntegration(t);
      const change = (tag: string) =>
        t.call(`PATCH /integrations/${id}`, {
          body: { name: crypto.randomUUID() },
          headers: { 'if-match': tag },
        });
      const changed = await change('"v1"');
      expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"v2"']);
      for (const tag of ['"v1"', 'W/"v2"', 'v2', '"other"']) {
        expect([tag, (await change(tag)).status]).toEqual([tag, 412]);
      }
      expect((await change('*')).status).toBe(200);
      expect((await change('"v9", "v3"')).status).toBe(200);
      const archive = (tag: string) =>
        t.call(`DELETE /integrations/${id}`, { headers: { 'if-match': tag } });
      expect((await archive('"v1"')).status).toBe(412);
      expect((await archive('"v4"')).status).toBe(204);
    }),

    rule('of what was validated make the status pending again', async (t) => {
      const { url } = t.service.upstream;
      const changes = [
        { url: `${url}/other` },
        { authMode: 'none' },
        { oauth: { issuer: 'https://id.example.com' } },
        { serverToken: 'another' },
      ];
      for (const body of changes) {
        const { id } = await makeIntegration(t, {
          url,
          authMode: 'server_token',
          serverToken: t.service.upstream.token,
        });
        await t.ok(`POST /integrations/${id}/validate`);
        const before = (await t.ok(`GET /integrations/${id}`)).body.integration;
        expect(before.validationStatus).toBe('valid');
        expect((await patch(t, id, { name: 'Renamed' })).validationStatus).toBe('valid');
        const after = await patch(t, id, body);
        expect([body, after.validationStatus]).toEqual([body, 'pending']);
        expect(after).not.toHaveProperty('validationMessage');
        expect(after.lastValidatedAt).toBe(before.lastValidatedAt);
      }
    }),

    rule('to mode server_token need a token for the present origin', async (t) => {
      const { id } = await makeIntegration(t);
      const line = `PATCH /integrations/${id}`;
      const refused = { status: 400, code: 'validation_failed', at: ['/serverToken'] };
      expect(await t.problem(line, { body: { authMode: 'server_token' } })).toEqual(refused);
      const kept = await patch(t, id, { serverToken: 'shared' });
      expect([kept.authMode, kept.serverTokenConfigured]).toEqual(['none', true]);
      expect((await patch(t, id, { authMode: 'server_token' })).authMode).toBe('server_token');
      expect(await t.problem(line, { body: { serverToken: null } })).toEqual(refused);
      const moved = { url: 'https://elsewhere.example.com/mcp' };
      expect(await t.problem(line, { body: moved })).toEqual(refused);
      const both = await patch(t, id, { ...moved, serverToken: 'other' });
      expect(both.serverTokenConfigured).toBe(true);
    }),

    rule('of the origin put a server token aside until the origin returns', async (t) => {
      const { id, url } = await makeIntegration(t, { serverToken: 'shared' });
      const away = await patch(t, id, { url: 'https://elsewhere.example.com/' });
      expect(away.serverTokenConfigured).toBe(false);
      const deeper = await patch(t, id, { url: `${url}/deeper` });
      expect(deeper.serverTokenConfigured).toBe(true);
      expect((await patch(t, id, { serverToken: null })).serverTokenConfigured).toBe(false);
    }),

    rule('to a private address are refused, unless the integration is not proxied', async (t) => {
      const { id } = await makeIntegration(t);
      const url = 'http://10.0.0.1/mcp';
      const line = `PATCH /integrations/${id}`;
      const denied = { status: 400, code: 'egress_denied', at: ['/url'] };
      expect(await t.problem(line, { body: { url } })).toEqual(denied);
      await patch(t, id, { url, category: 'internal_mcp_credentials' });
      expect(await t.problem(line, { body: { category: 'gateway_remote_mcp' } })).toEqual(denied);
    }),

    rule('end the sessions that used the former upstream', async (t) => {
      const changes = [{ url: 'https://elsewhere.example.com/' }, { authMode: 'user_token' }];
      for (const body of changes) {
        const { id: integrationId } = await makeIntegration(t);
        const application = { name: 'A', oauth: { type: 'confidential', redirectUris: [] } };
        const made = await t.ok('POST /applications', { body: application });
        const { id: applicationId } = made.body.application;
        await t.ok(`POST /applications/${applicationId}/integrations/${integrationId}`);
        await t.service.addSession({ applicationId, integrationId });
        await patch(t, integrationId, { name: 'Renamed' });
        const counted = async () =>
          (await t.ok(`GET /applications/${applicationId}`)).body.application.activeSessionCount;
        expect(await counted()).toBe(1);
        await patch(t, integrationId, body);
        expect(await counted()).toBe(0);
      }
    }),
  ],
};
