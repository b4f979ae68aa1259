import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeIntegration, onceKey } from '../make.ts';
import type { As } from '../targets/target.ts';

const disconnected = { connected: false, status: 'disconnected' };
const connected = { connected: true, status: 'connected' };
const outdated = { ...disconnected, reason: 'needs_reauth' };

const lineOf = (method: string, id: string) => `${method} /integrations/${id}/connection`;
const read = async (t: Api, id: string, as: As = 'owner') =>
  (await t.ok(lineOf('GET', id), { as })).body.connection;
const make = (t: Api, fields = {}) => makeIntegration(t, { authMode: 'user_token', ...fields });

export const connectionCases = {
  title: 'Connections',
  cases: [
    rule('are made by each user for themselves', async (t) => {
      const { id } = await make(t);
      const made = await t.call(lineOf('POST', id), { as: 'member', body: { token: 'secret-x' } });
      expect([made.status, made.body]).toEqual([200, { connection: connected }]);
      expect(await read(t, id, 'member')).toEqual(connected);
      expect(await read(t, id)).toEqual(disconnected);
      const { integration } = (await t.ok(`GET /integrations/${id}`, { as: 'member' })).body;
      expect(integration.userConnection).toEqual(connected);
      const { items } = (await t.ok('GET /integrations', { as: 'member' })).body;
      const listed = items.find((item: { id: string }) => item.id === id);
      expect(listed.userConnection).toEqual(connected);
      expect(JSON.stringify([integration, made.body])).not.toContain('secret-x');
    }),

    rule('are counted for admins, in the modes of users', async (t) => {
      const { id, connectionCount } = await make(t);
      expect(connectionCount).toBe(0);
      for (const as of ['member', 'admin'] as const)
        await t.ok(lineOf('POST', id), { as, body: { token: 'x' } });
      const shown = async (as: As) =>
        (await t.ok(`GET /integrations/${id}`, { as })).body.integration;
      expect((await shown('owner')).connectionCount).toBe(2);
      expect(await shown('member')).not.toHaveProperty('connectionCount');
      const { items } = (await t.ok('GET /integrations', { as: 'admin' })).body;
      const listed = items.find((item: { id: string }) => item.id === id);
      expect(listed.connectionCount).toBe(2);
      const body = { authMode: 'none' };
      const changed = await t.ok(`PATCH /integrations/${id}`, { body });
      expect(changed.body.integration).not.toHaveProperty('connectionCount');
    }),

    rule('leave the version of the integration alone', async (t) => {
      const { id, updatedAt } = await make(t);
      await t.ok(lineOf('POST', id), { body: { token: 'x' } });
      const { headers, body } = await t.ok(`GET /integrations/${id}`);
      expect([headers.get('etag'), body.integration.updatedAt]).toEqual(['"v1"', updatedAt]);
    }),

    rule('are only made in mode user_token, and read in every mode', async (t) => {
      for (const authMode of ['none', 'oauth', 'server_token']) {
        const { id } = await makeIntegration(t, { authMode, serverToken: 'shared' });
        const { status, code } = await t.problem(lineOf('POST', id), { body: { token: 'x' } });
        expect([status, code]).toEqual([409, 'auth_mode_mismatch']);
        expect(await read(t, id)).toEqual(disconnected);
      }
    }),

    rule('appear in an integration only in the modes of users', async (t) => {
      for (const [authMode, isThere] of [
        ['none', false],
        ['server_token', false],
        ['oauth', true],
        ['user_token', true],
      ] as const) {
        const made = await makeIntegration(t, { authMode, serverToken: 'shared' });
        expect([authMode, 'userConnection' in made]).toEqual([authMode, isThere]);
      }
    }),

    rule('take exactly one of token and fields', async (t) => {
      const { id } = await make(t, { credentialSchema: { properties: { a: { type: 'string' } } } });
      for (const body of [{}, { token: 'x', fields: { a: 'x' } }, { token: 'a\nb' }, { a: 'x' }]) {
        expect((await t.problem(lineOf('POST', id), { body })).status).toBe(400);
      }
      await t.ok(lineOf('POST', id), { body: { fields: { a: 'x' } } });
    }),

    rule('check fields by the credential schema, and need one for them', async (t) => {
      const post = async (id: string, body: unknown) =>
        (await t.problem(lineOf('POST', id), { body })).at;
      expect(await post((await make(t)).id, { fields: { a: 'x' } })).toEqual(['/fields']);
      const { id } = await make(t, {
        credentialSchema: {
          properties: {
            user: { type: 'string', 'x-header': 'X-User' },
            key: { type: 'string', minLength: 3, pattern: '^[a-z]+$', 'x-header': 'X-Key' },
            level: { type: 'integer', maximum: 5 },
            kind: { type: 'string', enum: ['a', 'b'] },
          },
          required: ['user', 'key'],
          additionalProperties: false,
        },
      });
      const fine = { user: 'a', key: 'bcd' };
      expect(await post(id, { token: 'x' })).toEqual(['/fields']);
      expect(await post(id, { fields: { user: 'a' } })).toEqual(['/fields/key']);
      expect(await post(id, { fields: { ...fine, key: 'b' } })).toEqual(['/fields/key']);
      expect(await post(id, { fields: { ...fine, key: 'BCD' } })).toEqual(['/fields/key']);
      expect(await post(id, { fields: { ...fine, level: 6 } })).toEqual(['/fields/level']);
      expect(await post(id, { fields: { ...fine, level: 1.5 } })).toEqual(['/fields/level']);
      expect(await post(id, { fields: { ...fine, kind: 'c' } })).toEqual(['/fields/kind']);
      expect(await post(id, { fields: { ...fine, other: 1 } })).toEqual(['/fields']);
      expect(await post(id, { fields: { ...fine, user: ' a' } })).toEqual(['/fields']);
      await t.ok(lineOf('POST', id), { body: { fields: { ...fine, level: 5, kind: 'b' } } });
    }),

    rule('check fields by the whole of JSON Schema', async (t) => {
      const a = { type: 'string', not: { const: 'x' } };
      const { id } = await make(t, { credentialSchema: { properties: { a } } });
      const answer = await t.problem(lineOf('POST', id), { body: { fields: { a: 'x' } } });
      expect(answer.at).toEqual(['/fields/a']);

      const text = { type: 'string' };
      const either = await make(t, {
        credentialSchema: {
          properties: { key: text, user: text, password: text },
          oneOf: [{ required: ['key'] }, { required: ['user'] }],
          dependentRequired: { user: ['password'] },
          patternProperties: { '^pass': { minLength: 2 } },
        },
      });
      for (const [fields, at] of [
        [{ key: 'k' }, undefined],
        [{ user: 'u', password: 'pw' }, undefined],
        [{ user: 'u' }, '/fields/password'],
        [{ user: 'u', password: 'p' }, '/fields/password'],
        [{ key: 'k', user: 'u', password: 'pw' }, '/fields'],
        [{}, '/fields'],
      ] as const) {
        const { status, body } = await t.call(lineOf('POST', either.id), { body: { fields } });
        expect([fields, body.errors?.[0].pointer]).toEqual([fields, at]);
        expect(status).toBe(at === undefined ? 200 : 400);
      }
    }),

    rule('give up on a credential schema that takes too long', async (t) => {
      const both = ($ref: string) => ({ allOf: [{ $ref }, { $ref }] });
      const steps = Array.from({ length: 40 }, (_, index) => [
        `step${index}`,
        both(`#/$defs/step${index + 1}`),
      ]);
      const $defs = { ...Object.fromEntries(steps), step40: { type: 'string' } };
      const { id } = await make(t, {
        credentialSchema: { $defs, properties: { a: { type: 'string', $ref: '#/$defs/step0' } } },
      });
      const answer = await t.problem(lineOf('POST', id), { body: { fields: { a: 'x' } } });
      expect(answer).toEqual({ status: 400, code: 'validation_failed', at: ['/fields'] });
    }),

    rule('take a token for the one property it can mean', async (t) => {
      const text = { type: 'string' };
      for (const [properties, required, status] of [
        [{ key: text }, [], 200],
        [{ token: text, other: text }, [], 200],
        [{ key: text, other: text }, ['key'], 200],
        [{ key: text, other: text }, [], 400],
      ] as const) {
        const { id } = await make(t, { credentialSchema: { properties, required } });
        const answer = await t.call(lineOf('POST', id), { body: { token: 'x' } });
        expect([properties, answer.status]).toEqual([properties, status]);
      }
    }),

    rule('take a token as the text of a number or boolean where the property is one', async (t) => {
      const refused = { status: 400, code: 'validation_failed', at: ['/token'] };
      for (const [property, fit, unfit] of [
        [{ type: 'integer', maximum: 500 }, ['123', '-0', '5e2', '1.0'], ['501', '1.5', 'x']],
        [{ type: 'number' }, ['1.5', '-2e-3', '7'], ['1,5', '0x10', '+1', '01', '1.', 'NaN']],
        [{ type: 'boolean' }, ['true', 'false'], ['True', '1', 'yes']],
        [{ type: 'string' }, ['123', 'true'], []],
        [{ $ref: '#/$defs/count' }, ['12'], []],
      ] as const) {
        const $defs = { count: { type: 'integer' } };
        const { id } = await make(t, { credentialSchema: { $defs, properties: { n: property } } });
        for (const token of fit) {
          const { status } = await t.call(lineOf('POST', id), { body: { token } });
          expect([property, token, status]).toEqual([property, token, 200]);
        }
        for (const token of unfit) {
          const answer = await t.problem(lineOf('POST', id), { body: { token } });
          expect([property, token, answer]).toEqual([property, token, refused]);
        }
      }
    }),

    rule('point at the fields when a token is not all that is required', async (t) => {
      const text = { type: 'string' };
      const properties = { token: text, b: text };
      const { id } = await make(t, {
        credentialSchema: { properties, required: ['token', 'b'] },
      });
      const answer = await t.problem(lineOf('POST', id), { body: { token: 'x' } });
      expect(answer).toEqual({ status: 400, code: 'validation_failed', at: ['/fields'] });
    }),

    rule('refuse a field that would be stored as something else', async (t) => {
      const properties = { n: { type: 'integer' } };
      const { id } = await make(t, { credentialSchema: { properties } });
      for (const [fields, at] of [
        ['{"n":9007199254740993}', '/fields/n'],
        ['{"n":1,"__proto__":"x"}', '/fields/__proto__'],
      ]) {
        const options = {
          raw: `{"fields":${fields}}`,
          headers: { 'content-type': 'application/json' },
        };
        expect((await t.problem(lineOf('POST', id), options)).at).toEqual([at]);
      }
      await t.ok(lineOf('POST', id), { body: { fields: { n: Number.MAX_SAFE_INTEGER } } });
    }),

    rule(
      'made for another origin or mode ask for a new credential, until it returns',
      async (t) => {
        const { id } = await make(t);
        await t.ok(lineOf('POST', id), { body: { token: 'x' } });
        const after = async (body: unknown) => {
          await t.ok(`PATCH /integrations/${id}`, { body });
          return read(t, id);
        };
        expect(await after({ url: 'https://mcp.example.com/deeper' })).toEqual(connected);
        expect(await after({ url: 'https://elsewhere.example.com/' })).toEqual(outdated);
        expect(await after({ url: 'https://mcp.example.com/' })).toEqual(connected);
        expect(await after({ authMode: 'oauth' })).toEqual(outdated);
        expect(await after({ authMode: 'none' })).toEqual(outdated);
        expect(await after({ authMode: 'user_token' })).toEqual(connected);
      },
    ),

    rule('are removed, even when missing', async (t) => {
      const { id } = await make(t);
      await t.ok(lineOf('POST', id), { body: { token: 'x' } });
      await t.ok(lineOf('POST', id), { as: 'admin', body: { token: 'y' } });
      for (let i = 0; i < 2; i += 1) {
        const removed = await t.call(lineOf('DELETE', id));
        expect([removed.status, removed.body]).toEqual([204, undefined]);
      }
      expect([await read(t, id), await read(t, id, 'admin')]).toEqual([disconnected, connected]);
    }),

    rule('are made once for one key', async (t) => {
      const { id } = await make(t);
      const headers = onceKey();
      await t.ok(lineOf('POST', id), { body: { token: 'x' }, headers });
      await t.ok(lineOf('DELETE', id));
      const again = await t.ok(lineOf('POST', id), { body: { token: 'x' }, headers });
      expect([again.body.connection, await read(t, id)]).toEqual([connected, disconnected]);
      const other = { body: { token: 'y' }, headers };
      expect((await t.call(lineOf('POST', id), other)).status).toBe(422);
    }),
  ],
};
