import { expect } from 'vitest';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration } from '../make.ts';

const url = 'https://mcp.example.com/mcp';
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const integrationCases = {
  title: 'Integrations',
  cases: [
    rule('are created with the defaults, a Location and a version', async (t) => {
      const { status, headers, body } = await t.call('POST /integrations', {
        body: { name: '  Search ', url },
      });
      expect(status).toBe(201);
      expect(body).toStrictEqual({
        integration: {
          id: expect.stringMatching(/^[0-9a-f-]{14}7/),
          name: 'Search',
          url,
          category: 'gateway_remote_mcp',
          authMode: 'none',
          serverTokenConfigured: false,
          validationStatus: 'pending',
          createdAt: expect.stringMatching(instant),
          updatedAt: body.integration.createdAt,
          archivedAt: null,
        },
      });
      const { id } = body.integration;
      expect(headers.get('location')).toBe(`${t.service.baseUrl}/integrations/${id}`);
      expect(headers.get('etag')).toBe('"v1"');
      const read = await t.ok(`GET /integrations/${id}`);
      expect(read.body).toStrictEqual(body);
      expect(read.headers.get('etag')).toBe('"v1"');
    }),

    rule('are created with everything, and never show the server token', async (t) => {
      const body = {
        name: 'Search',
        url: 'https://mcp.example.com/mcp?tenant=1',
        category: 'internal_mcp_credentials',
        authMode: 'server_token',
        oauth: { provider: 'github', issuer: 'https://id.example.com', scopes: ['a', 'b', 'a'] },
        capabilities: { tools: { listChanged: true }, anything: [1, null, 'x'] },
        credentialSchema: { properties: { key: { type: 'string', 'x-header': 'X-Api-Key' } } },
        serverToken: 'a-very-secret-token',
      };
      const { serverToken, ...shown } = body;
      const answer = await t.ok('POST /integrations', { body });
      expect(answer.body.integration).toMatchObject({
        ...shown,
        oauth: { ...body.oauth, scopes: ['a', 'b'] },
        serverTokenConfigured: true,
      });
      const read = await t.ok(`GET /integrations/${answer.body.integration.id}`);
      expect(read.body).toStrictEqual(answer.body);
      expect(JSON.stringify([answer.body, read.body])).not.toContain(serverToken);
    }),

    rule('need a name and a valid url', async (t) => {
      const faults: [string, unknown][] = [
        ['/name', { url }],
        ['/name', { name: ' ', url }],
        ['/name', { name: 'x'.repeat(201), url }],
        ['/name', { name: 'a\u0000b', url }],
        ['/url', { name: 'x' }],
        ['/url', { name: 'x', url: 'mcp.example.com' }],
        ['/url', { name: 'x', url: 'https://user:secret@mcp.example.com' }],
        ['/url', { name: 'x', url: `${url}#part` }],
        ['/authMode', { name: 'x', url, authMode: 'basic' }],
        ['/category', { name: 'x', url, category: null }],
        ['/capabilities', { name: 'x', url, capabilities: [] }],
      ];
      for (const [pointer, body] of faults) {
        const { code, at } = await t.problem('POST /integrations', { body });
        expect([body, code, at]).toEqual([body, 'validation_failed', [pointer]]);
      }
    }),

    rule('keep capabilities as given, and refuse numbers that would be rounded', async (t) => {
      const post = (capabilities: string) =>
        t.call('POST /integrations', {
          raw: `{"name":"x","url":"${url}","capabilities":${capabilities}}`,
          headers: { 'content-type': 'application/json' },
        });
      for (const capabilities of ['{"z":9007199254740993}', '{"tools":[{"a":-1e16}]}']) {
        const { status, body } = await post(capabilities);
        expect([status, body.errors?.[0].pointer]).toEqual([400, '/capabilities']);
      }
      const kept = '{"z":9007199254740991,"a":[0.1,-1e-7,1.5],"__proto__":{"b":null}}';
      const { body } = await post(kept);
      expect(body.integration.capabilities).toEqual(JSON.parse(kept));
      expect(Object.keys(body.integration.capabilities)).toContain('__proto__');
    }),

    rule('of mode server_token need the token', async (t) => {
      const body = { name: 'x', url, authMode: 'server_token' };
      expect(await t.problem('POST /integrations', { body })).toEqual({
        status: 400,
        code: 'validation_failed',
        at: ['/serverToken'],
      });
      for (const serverToken of ['', ' x', 'a\nb', 'é']) {
        const { at } = await t.problem('POST /integrations', { body: { ...body, serverToken } });
        expect([serverToken, at]).toContainEqual(expect.arrayContaining(['/serverToken']));
      }
    }),

    rule('that are proxied may not name a private address', async (t) => {
      const denied = { status: 400, code: 'egress_denied', at: ['/url'] };
      for (const host of ['10.0.0.1', '[fd00::1]', '0x0a000001', '169.254.169.254']) {
        const body = { name: 'x', url: `http://${host}/mcp` };
        expect([host, await t.problem('POST /integrations', { body })]).toEqual([host, denied]);
      }
      const plain = { name: 'x', url: 'http://8.8.8.8', authMode: 'user_token' };
      expect(await t.problem('POST /integrations', { body: plain })).toEqual(denied);
      for (const body of [
        { name: 'x', url: 'http://localhost:1/mcp', authMode: 'user_token' },
        { name: 'x', url: 'http://8.8.8.8' },
        { name: 'x', url: 'http://10.0.0.1', category: 'internal_mcp_credentials' },
      ]) {
        expect([body, (await t.call('POST /integrations', { body })).status]).toEqual([body, 201]);
      }
    }),

    rule('that are proxied may not name the service itself', async (t) => {
      const { mcpUrlTemplate } = await makeApplication(t);
      const { host, hostname, port } = new URL(String(mcpUrlTemplate).replace(/[{}]/g, ''));
      const denied = { status: 400, code: 'egress_denied', at: ['/url'] };
      for (const own of [
        `http://${host}/mcp`,
        `https://${host}`,
        `http://${hostname}.:${port}/api/v1`,
      ]) {
        const body = { name: 'x', url: own };
        expect([own, await t.problem('POST /integrations', { body })]).toEqual([own, denied]);
      }
      const { id } = await makeIntegration(t);
      const moved = { body: { url: `http://${host}/mcp` } };
      expect(await t.problem(`PATCH /integrations/${id}`, moved)).toEqual(denied);
      const elsewhere = { name: 'x', url: `http://${hostname}:1/mcp` };
      expect((await t.call('POST /integrations', { body: elsewhere })).status).toBe(201);
    }),

    rule('take a credential schema of simple properties only', async (t) => {
      const faults: [string, object][] = [
        ['/type', { type: 'array' }],
        ['/properties/a/type', { properties: { a: { type: 'object' } } }],
        ['/properties/a/x-header', { properties: { a: { type: 'string', 'x-header': 'Host' } } }],
        ['/properties/a/$ref', { properties: { a: { $ref: 'https://a.example/s' } } }],
        [
          '/properties/a/$ref',
          { $defs: { o: { type: 'object' } }, properties: { a: { $ref: '#/$defs/o' } } },
        ],
        ['/properties/a/$ref', { properties: { a: { $ref: '#' } } }],
        ['/properties/a/$ref', { properties: { a: { $ref: '#/properties/a' } } }],
        [
          '/properties/b/x-header',
          {
            properties: {
              a: { type: 'string', 'x-header': 'X-Key' },
              b: { type: 'string', 'x-header': 'x-key' },
            },
          },
        ],
      ];
      for (const [at, credentialSchema] of faults) {
        const body = { name: 'x', url, credentialSchema };
        const pointer = `/credentialSchema${at}`;
        expect([at, (await t.problem('POST /integrations', { body })).at]).toEqual([at, [pointer]]);
      }
      for (const header of [
        'CF-Connecting-IP',
        'True-Client-IP',
        'X-Original-URL',
        'X-Forwarded',
      ]) {
        const credentialSchema = { properties: { a: { type: 'string', 'x-header': header } } };
        const { at } = await t.problem('POST /integrations', {
          body: { name: 'x', url, credentialSchema },
        });
        expect([header, at]).toEqual([header, ['/credentialSchema/properties/a/x-header']]);
      }
      const named = {
        $defs: { text: { type: 'string' }, again: { $ref: '#/$defs/text' } },
        properties: { a: { $ref: '#/$defs/again', 'x-header': 'X-Key' } },
      };
      await makeIntegration(t, { credentialSchema: named });
      const malformed = { name: 'x', url, credentialSchema: { required: 'a', properties: {} } };
      const refused = await t.problem('POST /integrations', { body: malformed });
      expect(refused.at).toEqual(['/credentialSchema']);
    }),

    rule('check a credential schema by the whole of JSON Schema', async (t) => {
      const text = { type: 'string' };
      const states = 'a{1000}'.repeat(2);
      const faults: [string, object][] = [
        ['', { properties: { a: { ...text, not: { minLength: 'x' } } } }],
        ['', { anyOf: [] }],
        ['', { allOf: Array(500).fill({}) }],
        ['', { $defs: { a: { pattern: states } } }],
        ['', { properties: { a: { ...text, anyOf: [{ pattern: '(' }] } } }],
        ['/properties/a/$ref', { properties: { a: { ...text, $ref: '#/nowhere' } } }],
        ['/$defs/a/$id', { $defs: { a: { $id: 'https://a.example/s' } } }],
        ['/$defs/a/$dynamicRef', { $defs: { a: { $dynamicRef: '#a' } } }],
        ['/unevaluatedProperties', { unevaluatedProperties: false }],
      ];
      for (const [at, credentialSchema] of faults) {
        const answer = await t.problem('POST /integrations', {
          body: { name: 'x', url, credentialSchema },
        });
        expect([at, answer.at]).toEqual([at, [`/credentialSchema${at}`]]);
      }
      await makeIntegration(t, { credentialSchema: { $id: 'https://a.example/s' } });
    }),

    rule('with a server token have a credential schema that can send it', async (t) => {
      const key = { type: 'string', 'x-header': 'X-Api-Key' };
      const shared = { authMode: 'server_token', serverToken: 's' };
      const credentialSchema = { properties: { key, secret: { type: 'string' } } };
      const refused = await t.problem('POST /integrations', {
        body: { name: 'x', url, ...shared, credentialSchema },
      });
      expect([refused.status, refused.at]).toEqual([400, ['/credentialSchema']]);
      const both = await t.problem('POST /integrations', {
        body: { name: 'x', url, authMode: 'server_token', credentialSchema },
      });
      expect(both.at).toEqual(['/serverToken', '/credentialSchema']);
      await makeIntegration(t, { ...shared, authMode: 'user_token', credentialSchema });
      await makeIntegration(t, { ...shared, credentialSchema: { properties: { key } } });
    }),

    rule('are listed by a part of the name, in any case, % and _ being plain', async (t) => {
      const mark = crypto.randomUUID();
      const { id } = await makeIntegration(t, { name: `100%_${mark} Search` });
      const found = async (name: string) => {
        const query = `name=${encodeURIComponent(name)}`;
        const { items } = (await t.ok(`GET /integrations?${query}`)).body;
        return items.some((item: { id: string }) => item.id === id);
      };
      expect(await found(`${mark.toUpperCase()} sEARCH`)).toBe(true);
      expect(await found(`100%_${mark}`)).toBe(true);
      const letters = await makeIntegration(t, { name: `Ärger.*[\u{10400}] ${mark}` });
      const isFound = async (name: string) => {
        const { items } = (await t.ok(`GET /integrations?name=${encodeURIComponent(name)}`)).body;
        return items.some((item: { id: string }) => item.id === letters.id);
      };
      for (const name of ['Ärger', 'ärger', 'ÄRGER', 'ä', `${'\u{10428}'}] ${mark}`, 'R.*[']) {
        expect([name, await isFound(name)]).toEqual([name, true]);
      }
      for (const name of ['arger', 'är.er', '.{2}ä', '(ä)', 'ä|x']) {
        expect([name, await isFound(name)]).toEqual([name, false]);
      }
      expect(await found(`100__${mark}`)).toBe(false);
      expect(await found(`%${mark}`)).toBe(false);
    }),

    rule('that are archived are left out of lists, and can still be read', async (t) => {
      const name = `Archived ${crypto.randomUUID()}`;
      const { id } = await makeIntegration(t, { name });
      const archived = await t.call(`DELETE /integrations/${id}`);
      expect([archived.status, archived.body]).toEqual([204, undefined]);
      const list = `GET /integrations?name=${encodeURIComponent(name)}`;
      expect((await t.ok(list, { as: 'member' })).body.items).toEqual([]);
      const all = (await t.ok(`${list}&includeArchived=true`, { as: 'member' })).body.items;
      expect(all).toHaveLength(1);
      const read = await t.ok(`GET /integrations/${id}`, { as: 'member' });
      expect(read.body.integration.archivedAt).toMatch(instant);
    }),

    rule('that are archived again stay as they are, and restored come back', async (t) => {
      const { id } = await makeIntegration(t);
      await t.ok(`DELETE /integrations/${id}`);
      const once = await t.ok(`GET /integrations/${id}`);
      await t.ok(`DELETE /integrations/${id}`);
      const twice = await t.ok(`GET /integrations/${id}`);
      expect(twice.body).toEqual(once.body);
      expect(twice.headers.get('etag')).toBe('"v2"');
      const restored = await t.ok(`POST /integrations/${id}/restore`);
      expect(restored.headers.get('etag')).toBe('"v3"');
      expect(restored.body.integration.archivedAt).toBeNull();
      const again = await t.ok(`POST /integrations/${id}/restore`);
      expect([again.body, again.headers.get('etag')]).toEqual([restored.body, '"v3"']);
    }),

    rule('that are archived refuse writes but those that empty them', async (t) => {
      const { id } = await makeIntegration(t, { authMode: 'user_token', oauth: {} });
      await t.ok(`POST /integrations/${id}/connection`, { body: { token: 'x' } });
      await t.ok(`DELETE /integrations/${id}`);
      const oauth = { provider: 'p', issuer: 'https://id.example.com', scopes: [] };
      const refused: [string, unknown?][] = [
        ['PATCH ', {}],
        ['POST /validate', undefined],
        ['PUT /oauth', oauth],
        ['POST /connection', { token: 'x' }],
      ];
      for (const [what, body] of refused) {
        const line = what.replace(' ', ` /integrations/${id}`);
        const options = body === undefined ? {} : { body };
        expect([what, (await t.problem(line, options)).code]).toEqual([what, 'archived']);
      }
      await t.ok(`DELETE /integrations/${id}/connection`);
      await t.ok(`DELETE /integrations/${id}/oauth`);
      const { body } = await t.ok(`GET /integrations/${id}`);
      expect(body.integration).not.toHaveProperty('oauth');
      expect(body.integration.userConnection.connected).toBe(false);
    }),
  ],
};
