import { expect } from 'vitest';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember, NOWHERE, onceKey } from '../make.ts';

const given = { name: 'x', url: 'https://mcp.example.com' };
const json = { 'content-type': 'application/json' };

export const bodyCases = {
  title: 'Bodies and the order of checks',
  cases: [
    rule('a body that is not JSON by its type or charset is 415', async (t) => {
      const types = [
        'text/plain',
        'application/json; charset=utf-16le',
        'multipart/form-data',
        'application/merge-patch+json',
        'application/json-patch+json',
      ];
      for (const type of types) {
        const options = { raw: '{}', headers: { 'content-type': type } };
        const { status, code } = await t.problem('POST /integrations', options);
        expect([type, status, code]).toEqual([type, 415, 'unsupported_media_type']);
      }
    }),

    rule('a compressed body is 415', async (t) => {
      const options = { raw: '{}', headers: { ...json, 'content-encoding': 'gzip' } };
      expect((await t.problem('POST /integrations', options)).status).toBe(415);
    }),

    rule('a body above 1 MiB is 413', async (t) => {
      const raw = JSON.stringify({ ...given, name: 'x'.repeat(1024 * 1024) });
      const answer = await t.problem('POST /integrations', { raw, headers: json });
      expect(answer).toEqual({ status: 413, code: 'payload_too_large', at: [] });
    }),

    rule('malformed JSON is 400, and never quoted', async (t) => {
      const raw = '{"token": "sk-live-abcdef", oops}';
      const { status, body } = await t.call('POST /integrations', { raw, headers: json });
      expect([status, body.code]).toEqual([400, 'malformed_json']);
      expect(JSON.stringify(body)).not.toContain('sk-live');
    }),

    rule('lengths and counts are judged first, with at most 20 errors', async (t) => {
      const many = '"",'.repeat(30_000);
      const faults: [string, string, string[]][] = [
        ['POST /integrations', `{"capabilities":{"a":[${many}0]}}`, ['']],
        ['POST /integrations', `{"capabilities":${'['.repeat(90)}`, ['']],
        ['PUT /integrations/:id/oauth', `{"scopes":[${many.slice(0, 6_000)}0]}`, ['/scopes']],
        [
          'POST /applications',
          `{"oauth":{"redirectUris":[${'"",'.repeat(1_000)}""]}}`,
          ['/oauth/redirectUris'],
        ],
        [
          'PUT /applications/:id/integrations',
          `{"integrationIds":[${'"x",'.repeat(1_000)}"x"]}`,
          ['/integrationIds'],
        ],
      ];
      for (const [line, raw, expected] of faults) {
        const { status, at } = await t.problem(line.replace(':id', NOWHERE), {
          raw,
          headers: json,
        });
        expect([line, status, at]).toEqual([line, 400, expect.arrayContaining(expected)]);
      }
      const unknown = Array.from({ length: 100 }, (_, index) => [`u${index}`, 0]);
      const body = Object.fromEntries(unknown);
      expect((await t.problem('POST /tokens', { body })).at).toHaveLength(20);
    }),

    rule('names have up to 200 characters, of any plane', async (t) => {
      const name = '\u{1f600}'.repeat(200);
      expect((await makeIntegration(t, { name })).name).toBe(name);
      // The second has as many code units as the longest that is allowed.
      for (const long of ['x'.repeat(201), `${'\u{1f600}'.repeat(199)}xx`]) {
        const { at } = await t.problem('POST /integrations', { body: { ...given, name: long } });
        expect([long, at]).toEqual([long, ['/name']]);
      }
    }),

    rule('a body that is missing or no object is refused', async (t) => {
      for (const raw of ['', '[]', '"x"', 'null', '1']) {
        const { status, code } = await t.problem('POST /integrations', { raw, headers: json });
        expect([raw, status, code]).toEqual([raw, 400, 'validation_failed']);
      }
    }),

    rule('an unknown field is named', async (t) => {
      const body = { ...given, urll: 1, 'a/b': 2 };
      expect(await t.problem('POST /integrations', { body })).toEqual({
        status: 400,
        code: 'unknown_field',
        at: ['/urll', '/a~1b'],
      });
    }),

    rule('every fault is named at once, an unknown field among them', async (t) => {
      const body = { name: '', url: 'ftp://a.example', typo: 1 };
      const { code, at } = await t.problem('POST /integrations', { body });
      expect([code, [...at].sort()]).toEqual(['validation_failed', ['/name', '/typo', '/url']]);
    }),

    rule('a field of a read that no write sets is ignored in PATCH', async (t) => {
      const integration = await makeIntegration(t, { authMode: 'user_token', oauth: {} });
      const body = { ...integration, name: 'Renamed' };
      const { body: changed } = await t.ok(`PATCH /integrations/${integration.id}`, { body });
      expect(changed.integration).toMatchObject({ id: integration.id, name: 'Renamed' });
    }),

    rule('a read-only field that someone may mean to change is taken only as it is', async (t) => {
      const application = await makeApplication(t);
      const integration = await makeIntegration(t);
      const member = await makeMember(t, 'member');
      const oauth = { ...application.oauth, redirectUris: ['https://b.example/'] };
      const faults: [string, string, object][] = [
        ['/oauth', `/applications/${application.id}`, { oauth: { redirectUri: 'typo' } }],
        ['/oauth', `/applications/${application.id}`, { name: 'x', oauth }],
        ['/integrations', `/applications/${application.id}`, { integrations: [{ id: NOWHERE }] }],
        ['/clientId', `/applications/${application.id}/oauth`, { clientId: NOWHERE }],
        ['/archivedAt', `/integrations/${integration.id}`, { archivedAt: integration.createdAt }],
        ['/email', `/members/${member.id}`, { name: 'x', email: 'other@example.com' }],
      ];
      for (const [at, path, body] of faults) {
        expect([path, body, await t.problem(`PATCH ${path}`, { body })]).toEqual([
          path,
          body,
          { status: 400, code: 'validation_failed', at: [at] },
        ]);
      }
      const read = (await t.ok(`GET /applications/${application.id}`)).body.application;
      const same = { ...read, activeSessionCount: 7, updatedAt: integration.createdAt };
      const { body } = await t.ok(`PATCH /applications/${application.id}`, { body: same });
      expect(body.application.name).toBe(application.name);
    }),

    rule('an endpoint without a body accepts no body or {}, and nothing else', async (t) => {
      const line = `POST /integrations/${(await makeIntegration(t)).id}/restore`;
      expect((await t.call(line)).status).toBe(200);
      expect((await t.call(line, { headers: { 'content-type': 'text/plain' } })).status).toBe(200);
      expect((await t.call(line, { body: {} })).status).toBe(200);
      expect((await t.problem(line, { body: { a: 1 } })).code).toBe('unknown_field');
    }),

    rule('the role is judged before the body is read', async (t) => {
      const options = { raw: 'not json', headers: { 'content-type': 'text/plain' } };
      const answer = await t.problem('POST /integrations', { as: 'member', ...options });
      expect(answer.code).toBe('forbidden');
    }),

    rule('the media type is judged before the path', async (t) => {
      const options = { raw: '{}', headers: { 'content-type': 'text/plain' } };
      expect((await t.problem('PATCH /integrations/x', options)).status).toBe(415);
    }),

    rule('path and body are judged together, before the resource is looked for', async (t) => {
      const both = await t.problem('PATCH /integrations/x', { body: { name: '' } });
      expect([both.status, both.at]).toEqual([400, ['id', '/name']]);
      const body = { name: '' };
      expect((await t.problem(`PATCH /integrations/${NOWHERE}`, { body })).status).toBe(400);
    }),

    rule('the resource is looked for before the answer kept under a key', async (t) => {
      const { id } = await makeApplication(t);
      const admin = await makeMember(t, 'admin');
      const options = { as: { token: admin.token }, body: { name: 'A' }, headers: onceKey() };
      await t.ok(`PATCH /applications/${id}`, options);
      await t.ok(`PATCH /members/${admin.id}`, { body: { role: 'member' } });
      expect((await t.call(`PATCH /applications/${id}`, options)).status).toBe(404);
    }),

    rule('a key used for another body comes before a version that has changed', async (t) => {
      const { id } = await makeIntegration(t);
      const headers = { ...onceKey(), 'if-match': '"v1"' };
      await t.ok(`PATCH /integrations/${id}`, { body: { name: 'A' }, headers });
      const other = { body: { name: 'B' }, headers };
      expect((await t.problem(`PATCH /integrations/${id}`, other)).status).toBe(422);
    }),

    rule('a version that has changed comes before a state that conflicts', async (t) => {
      const { id } = await makeIntegration(t);
      await t.ok(`DELETE /integrations/${id}`);
      const stale = { body: { name: 'A' }, headers: { 'if-match': '"v1"' } };
      expect((await t.problem(`PATCH /integrations/${id}`, stale)).status).toBe(412);
      const fresh = { body: { name: 'A' }, headers: { 'if-match': '"v2"' } };
      expect((await t.problem(`PATCH /integrations/${id}`, fresh)).code).toBe('archived');
    }),
  ],
};
