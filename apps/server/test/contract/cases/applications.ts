import { expect } from 'vitest';
import { rule } from '../case.ts';
import { makeApplication, redirectUris } from '../make.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const secret = /^gh_cs_[\w-]{43}$/;

export const applicationCases = {
  title: 'Applications',
  cases: [
    rule('are created with the defaults, and the secret only beside the application', async (t) => {
      const { body: me } = await t.ok('GET /me', { as: 'member' });
      const { status, headers, body } = await t.call('POST /applications', {
        as: 'member',
        body: { name: ' Assistant ', oauth: { type: 'confidential', redirectUris } },
      });
      expect(status).toBe(201);
      const { id, createdAt } = body.application;
      const origin = t.service.baseUrl.replace('/api/v1', '');
      const oauth = {
        type: 'confidential',
        redirectUris,
        pkceRequired: true,
        scopes: ['mcp'],
        allowedResources: [],
        allowDynamicClients: false,
        clientId: id,
        clientSecretConfigured: true,
      };
      expect(body).toStrictEqual({
        application: {
          id,
          name: 'Assistant',
          ownerUserId: me.user.id,
          createdAt: expect.stringMatching(instant),
          updatedAt: createdAt,
          archivedAt: null,
          canModify: true,
          activeSessionCount: 0,
          idleSessionCount: 0,
          liveSessionCount: 0,
          totalSessionCount: 0,
          firstCallAt: null,
          limits: null,
          aggregate: { mode: 'list', nameLength: 64 },
          mcpUrl: `${origin}/mcp/${id}`,
          mcpUrlTemplate: `${origin}/mcp/${id}/{integrationId}`,
          integrations: [],
          oauth,
        },
        oauth: { ...oauth, clientSecret: expect.stringMatching(secret) },
      });
      expect(headers.get('location')).toBe(`${t.service.baseUrl}/applications/${id}`);
      expect(headers.get('etag')).toBe('"v1"');
      const read = await t.ok(`GET /applications/${id}`, { as: 'member' });
      expect(read.body).toStrictEqual({ application: body.application });
      expect(read.headers.get('etag')).toBe('"v1"');
    }),

    rule('of public clients have no secret', async (t) => {
      const oauth = { type: 'public', redirectUris, pkceRequired: false };
      const { body } = await t.ok('POST /applications', { body: { name: 'A', oauth } });
      expect(body.oauth).not.toHaveProperty('clientSecret');
      expect(body.oauth.clientSecretConfigured).toBe(false);
      const line = `POST /applications/${body.application.id}/rotate-secret`;
      const { status, code } = await t.problem(line);
      expect([status, code]).toEqual([409, 'public_client_has_no_secret']);
    }),

    rule('need a name, a type and valid redirect URIs', async (t) => {
      const faults: [string, unknown][] = [
        ['/name', { oauth: { type: 'public', redirectUris } }],
        ['/oauth', { name: 'A' }],
        ['/oauth/type', { name: 'A', oauth: { redirectUris } }],
        ['/oauth/redirectUris', { name: 'A', oauth: { type: 'confidential' } }],
        ['/oauth/redirectUris', { name: 'A', oauth: { type: 'public', redirectUris: [] } }],
        ...[
          'http://app.example.com/cb',
          'javascript:alert(1)',
          'https://a.example/#x',
          'https://*.a.example/',
          '/callback',
        ].map((uri): [string, unknown] => [
          '/oauth/redirectUris/0',
          { name: 'A', oauth: { type: 'public', redirectUris: [uri] } },
        ]),
      ];
      for (const [pointer, body] of faults) {
        const { status, at } = await t.problem('POST /applications', { body });
        expect([body, status, at]).toEqual([body, 400, [pointer]]);
      }
    }),

    rule('may mix redirect URIs, and duplicates collapse', async (t) => {
      const uris = ['cursor://anysphere/cb', 'http://127.0.0.1/cb', 'https://a.example/cb'];
      const made = await makeApplication(t, { redirectUris: [...uris, ...uris] });
      expect(made.oauth.redirectUris).toEqual(uris);
    }),

    rule('count each redirect URI, scope and resource once', async (t) => {
      const numbered = (count: number, prefix: string) =>
        Array.from({ length: count }, (_, i) => `${prefix}${i}`);
      for (const [field, most, prefix] of [
        ['redirectUris', 20, 'https://a.example/'],
        ['scopes', 64, 'scope'],
        ['allowedResources', 100, 'https://b.example/'],
      ] as const) {
        const full = numbered(most, prefix);
        const made = await makeApplication(t, { [field]: [...full, ...full] });
        expect(made.oauth[field]).toEqual(full);
        const oauth = { type: 'confidential', redirectUris, [field]: numbered(most + 1, prefix) };
        const refused = await t.call('POST /applications', { body: { name: 'A', oauth } });
        expect([refused.status, refused.body.errors]).toMatchObject([
          400,
          [{ pointer: `/oauth/${field}`, code: 'too_big' }],
        ]);
        const line = `PATCH /applications/${made.id}/oauth`;
        const patch = (values: string[]) => t.call(line, { body: { [field]: values } });
        expect((await patch([...full, ...full])).headers.get('etag')).toBe('"v1"');
        expect((await patch(numbered(most + 1, prefix))).status).toBe(400);
      }
    }),

    rule('change their name and limits alone, and the same ones change nothing', async (t) => {
      const made = await makeApplication(t);
      const line = `PATCH /applications/${made.id}`;
      const { secret: _secret, ...read } = made;
      const renamed = await t.ok(line, { body: { ...read, name: 'Renamed' } });
      expect(renamed.body.application).toStrictEqual({
        ...read,
        name: 'Renamed',
        updatedAt: renamed.body.application.updatedAt,
      });
      expect(renamed.headers.get('etag')).toBe('"v2"');
      for (const body of [{}, { name: 'Renamed' }]) {
        expect((await t.ok(line, { body })).headers.get('etag')).toBe('"v2"');
      }
      const unknown = { body: { owner: 'x' } };
      expect((await t.problem(line, unknown)).code).toBe('unknown_field');
    }),

    rule('have limits as a whole, and lose them by null and {}', async (t) => {
      const limits = { perMinute: 100_000, concurrent: 1000 };
      const oauth = { type: 'confidential', redirectUris };
      const made = await t.ok('POST /applications', { body: { name: 'A', oauth, limits } });
      expect(made.body.application.limits).toEqual(limits);
      const line = `PATCH /applications/${made.body.application.id}`;
      const limitsAfter = async (value: unknown) => {
        const { body, headers } = await t.ok(line, { body: { limits: value } });
        return [body.application.limits, headers.get('etag')];
      };
      expect(await limitsAfter({ perMinute: 1 })).toEqual([{ perMinute: 1 }, '"v2"']);
      expect(await limitsAfter({ perMinute: 1 })).toEqual([{ perMinute: 1 }, '"v2"']);
      expect(await limitsAfter({})).toEqual([null, '"v3"']);
      expect(await limitsAfter(null)).toEqual([null, '"v3"']);
      for (const [pointer, value] of [
        ['/limits/perMinute', { perMinute: 0 }],
        ['/limits/perMinute', { perMinute: 100_001 }],
        ['/limits/concurrent', { concurrent: 1001 }],
        ['/limits/concurrent', { concurrent: 1.5 }],
      ] as const) {
        const refused = await t.problem(line, { body: { limits: value } });
        expect(refused).toMatchObject({ status: 400, at: [pointer] });
      }
    }),

    rule('have one URL, unless that is off, and change what is sent of it', async (t) => {
      const { id, aggregate } = await makeApplication(t);
      const line = `PATCH /applications/${id}`;
      const aggregateAfter = async (sent: unknown) => {
        const { body, headers } = await t.ok(line, { body: { aggregate: sent } });
        return [body.application.aggregate, body.application.mcpUrl, headers.get('etag')];
      };
      const url = `${t.service.baseUrl.replace('/api/v1', '')}/mcp/${id}`;
      const short = { mode: 'list', nameLength: 32 };
      expect(await aggregateAfter({ nameLength: 32 })).toEqual([short, url, '"v2"']);
      expect(await aggregateAfter({})).toEqual([short, url, '"v2"']);
      const off = { ...short, mode: 'off' };
      expect(await aggregateAfter({ mode: 'off' })).toEqual([off, null, '"v3"']);
      expect(await aggregateAfter(aggregate)).toEqual([aggregate, url, '"v4"']);
      for (const [pointer, sent] of [
        ['/aggregate/nameLength', { nameLength: 31 }],
        ['/aggregate/nameLength', { nameLength: 65 }],
        ['/aggregate/mode', { mode: 'on' }],
        ['/aggregate', null],
        ['/aggregate/length', { length: 40 }],
      ] as const) {
        const refused = await t.problem(line, { body: { aggregate: sent } });
        expect(refused).toMatchObject({ status: 400, at: [pointer] });
      }
      await t.ok(`DELETE /applications/${id}`);
      expect((await t.ok(`GET /applications/${id}`)).body.application.mcpUrl).toBeNull();
    }),

    rule('hold writes to If-Match', async (t) => {
      const { id } = await makeApplication(t);
      const headers = { 'if-match': '"v9"' };
      const lines: [string, unknown?][] = [
        ['PATCH ', { name: 'x' }],
        ['PATCH /oauth', {}],
        ['PUT /integrations', { integrationIds: [] }],
        ['DELETE ', undefined],
      ];
      for (const [what, body] of lines) {
        const line = what.replace(' ', ` /applications/${id}`);
        const options = { headers, ...(body === undefined ? {} : { body }) };
        expect([what, (await t.call(line, options)).status]).toEqual([what, 412]);
      }
    }),

    rule('are archived with 204, and refuse writes but restore', async (t) => {
      const { id } = await makeApplication(t);
      const archived = await t.call(`DELETE /applications/${id}`);
      expect([archived.status, archived.body]).toEqual([204, undefined]);
      const { application } = (await t.ok(`GET /applications/${id}`)).body;
      expect(application).toMatchObject({ canModify: false, mcpUrlTemplate: null });
      expect(application.archivedAt).toMatch(instant);
      const lines: [string, unknown?][] = [
        ['PATCH ', {}],
        ['POST /rotate-secret', undefined],
        ['PATCH /oauth', {}],
        ['PUT /integrations', { integrationIds: [] }],
      ];
      for (const [what, body] of lines) {
        const line = what.replace(' ', ` /applications/${id}`);
        const options = body === undefined ? {} : { body };
        expect([what, (await t.problem(line, options)).code]).toEqual([what, 'archived']);
      }
      await t.ok(`DELETE /applications/${id}`);
      const again = (await t.ok(`GET /applications/${id}`)).body.application;
      expect(again).toEqual(application);
    }),

    rule('that are archived are left out of lists until restored', async (t) => {
      const { id } = await makeApplication(t);
      await t.ok(`DELETE /applications/${id}`);
      const isListed = async (query: string) =>
        (await t.ok(`GET /applications?limit=100${query}`)).body.items.some(
          (item: { id: string }) => item.id === id,
        );
      expect([await isListed(''), await isListed('&includeArchived=true')]).toEqual([false, true]);
      const restored = await t.ok(`POST /applications/${id}/restore`);
      expect(restored.body.application).toMatchObject({ archivedAt: null, canModify: true });
      expect(restored.headers.get('etag')).toBe('"v3"');
      expect(await isListed('')).toBe(true);
    }),

    rule('rotate their secret, which stands in no later read', async (t) => {
      const made = await makeApplication(t);
      const { status, headers, body } = await t.call(`POST /applications/${made.id}/rotate-secret`);
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"v2"');
      expect(body.oauth.clientSecret).toMatch(secret);
      expect(body.oauth.clientSecret).not.toBe(made.secret);
      expect(body.application.oauth).not.toHaveProperty('clientSecret');
      for (const path of [`/applications/${made.id}`, `/applications/${made.id}/oauth`]) {
        const read = await t.ok(`GET ${path}`);
        expect(JSON.stringify(read.body)).not.toContain('gh_cs_');
      }
      const list = await t.ok('GET /applications?limit=100');
      expect(JSON.stringify(list.body)).not.toContain('gh_cs_');
    }),
  ],
};
