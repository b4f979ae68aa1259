import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeIntegration, NOWHERE, onceKey } from '../make.ts';
import type { NewTool } from '../targets/target.ts';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const CALLS = ['GET', 'POST approve', 'POST withdraw'] as const;

/** A new integration with these tools, seen one after the other. */
async function make(t: Api, ...tools: Omit<NewTool, 'integrationId'>[]) {
  const { id: integrationId } = await makeIntegration(t);
  for (const tool of tools) await see(t, { integrationId, ...tool });
  return { integrationId, path: `/integrations/${integrationId}/tools` };
}

/** The clock moves on, so that it is certain what was seen last. */
async function see(t: Api, tool: NewTool): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2));
  await t.service.addTool(tool);
}

const callsOf = (path: string) =>
  CALLS.map((call) => {
    const [method, verb] = call.split(' ');
    const body = verb === undefined ? {} : { body: { fingerprints: {} } };
    return [`${method} ${path}${verb === undefined ? '' : `/${verb}`}`, body] as const;
  });

export const toolCases = {
  title: 'Tools',
  cases: [
    rule('are for admins, and only for those of the organization', async (t) => {
      const { path } = await make(t);
      for (const [line, options] of callsOf(path)) {
        for (const [as, status] of [
          [null, 401],
          ['member', 403],
          ['stranger', 404],
          ['admin', 200],
        ] as const) {
          expect((await t.call(line, { ...options, as })).status).toBe(status);
        }
      }
      for (const [line, options] of callsOf(`/integrations/${NOWHERE}/tools`)) {
        expect((await t.problem(line, options)).code).toBe('not_found');
      }
    }),

    rule('are listed by name, in pages and by state, as they were seen last', async (t) => {
      const { path, integrationId } = await make(
        t,
        { name: 'b', fingerprint: B, readOnly: true },
        { name: 'c', fingerprint: C },
        { name: 'a', fingerprint: A, definition: { name: 'a', description: 'old', title: 'x' } },
      );
      const body = { fingerprints: { a: A, b: B } };
      await t.ok(`POST ${path}/approve`, { body });
      const definition = { name: 'a', description: 'new', inputSchema: {} };
      await see(t, { integrationId, name: 'a', fingerprint: B, definition });
      const first = (await t.ok(`GET ${path}?limit=2`)).body;
      expect(first.items).toMatchObject([
        { name: 'a', state: 'changed', fingerprint: B, approved: [{ fingerprint: A }], definition },
        { name: 'b', state: 'approved', fingerprint: B, readOnly: true, changes: [] },
      ]);
      expect(new Set(first.items[0].changes)).toEqual(
        new Set([
          { op: 'remove', path: '/title' },
          { op: 'replace', path: '/description', value: 'new' },
          { op: 'add', path: '/inputSchema', value: {} },
        ]),
      );
      const cursor = encodeURIComponent(first.nextCursor);
      const second = (await t.ok(`GET ${path}?limit=2&cursor=${cursor}`)).body;
      expect(second).toMatchObject({ nextCursor: null, items: [{ name: 'c', changes: null }] });
      for (const [state, name] of [
        ['changed', 'a'],
        ['approved', 'b'],
        ['new', 'c'],
      ]) {
        const { items } = (await t.ok(`GET ${path}?state=${state}`)).body;
        expect(items).toMatchObject([{ name, state }]);
        const other = await t.problem(`GET ${path}?state=${state}&cursor=${cursor}`);
        expect(other.code).toBe('invalid_cursor');
      }
      expect((await t.problem(`GET ${path}?state=gone`)).at).toEqual(['state']);
    }),

    rule('are approved all or not at all, by what was seen last', async (t) => {
      const { path, integrationId } = await make(
        t,
        { name: 'a', fingerprint: A },
        { name: 'b', fingerprint: B },
        { name: 'b', fingerprint: C },
      );
      const stale = { fingerprints: { a: A, b: B, z: A } };
      const refused = await t.call(`POST ${path}/approve`, { body: stale });
      expect([refused.status, refused.body.code]).toEqual([409, 'tools_changed']);
      expect(refused.body.tools).toEqual(['b', 'z']);
      expect((await t.ok(`GET ${path}?state=new`)).body.items).toHaveLength(2);
      const body = { fingerprints: { b: C, a: A } };
      const approve = () => t.ok(`POST ${path}/approve`, { body });
      expect((await approve()).body).toEqual({ changed: ['a', 'b'] });
      expect((await approve()).body).toEqual({ changed: [] });
      await see(t, { integrationId, name: 'b', fingerprint: B });
      expect((await t.problem(`POST ${path}/approve`, { body })).code).toBe('tools_changed');
    }),

    rule('are withdrawn by any definition, and again without effect', async (t) => {
      const { path, integrationId } = await make(t, { name: 'a', fingerprint: A });
      const body = { fingerprints: { a: A } };
      await t.ok(`POST ${path}/approve`, { body });
      await see(t, { integrationId, name: 'a', fingerprint: B });
      const both = { body: { fingerprints: { a: A, z: C } } };
      expect((await t.ok(`POST ${path}/withdraw`, both)).body).toEqual({ changed: ['a'] });
      expect((await t.ok(`POST ${path}/withdraw`, both)).body).toEqual({ changed: [] });
      const { items } = (await t.ok(`GET ${path}`)).body;
      expect(items).toMatchObject([{ state: 'new', approved: [], changes: null }]);
    }),

    rule('are not changed while the integration is archived', async (t) => {
      const { path, integrationId } = await make(t, { name: 'a', fingerprint: A });
      await t.ok(`DELETE /integrations/${integrationId}`);
      const body = { fingerprints: { a: A } };
      for (const verb of ['approve', 'withdraw']) {
        expect((await t.problem(`POST ${path}/${verb}`, { body })).code).toBe('archived');
      }
      expect((await t.ok(`GET ${path}`)).body.items).toHaveLength(1);
    }),

    rule('take fingerprints by name, and nothing else', async (t) => {
      const { path } = await make(t);
      const wrong = [
        {},
        { fingerprints: [] },
        { fingerprints: { a: 'x' } },
        { fingerprints: { a: A.toUpperCase() } },
        { fingerprints: { 'a\u0000': A } },
        { fingerprints: JSON.parse(`{"__proto__":"${A}"}`) },
        { fingerprints: { ['n'.repeat(2049)]: A } },
        { fingerprints: Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [n, A])) },
      ];
      for (const body of wrong) {
        expect((await t.problem(`POST ${path}/approve`, { body })).code).toBe('validation_failed');
      }
    }),

    rule('are approved once for an idempotency key', async (t) => {
      const { path } = await make(t, { name: 'a', fingerprint: A });
      const headers = onceKey();
      const body = { fingerprints: { a: A } };
      const approve = () => t.ok(`POST ${path}/approve`, { body, headers });
      const first = await approve();
      await t.ok(`POST ${path}/withdraw`, { body });
      expect((await approve()).body).toEqual(first.body);
      expect((await t.ok(`GET ${path}`)).body.items).toMatchObject([{ state: 'new' }]);
    }),
  ],
};
