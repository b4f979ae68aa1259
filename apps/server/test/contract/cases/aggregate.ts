import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, NOWHERE } from '../make.ts';

const pathOf = (id: string) => `/applications/${id}/aggregate`;

const NOTHING = { tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 };

/** An application of the owner with those integrations; the ids. */
async function make(t: Api, integrations: readonly Readonly<Record<string, unknown>>[]) {
  const { id } = await makeApplication(t);
  const ids: string[] = [];
  for (const fields of integrations) ids.push((await makeIntegration(t, fields)).id);
  await t.ok(`PUT /applications/${id}/integrations`, { body: { integrationIds: ids } });
  return { id, ids };
}

export const aggregateCases = {
  title: 'What the one URL lists',
  cases: [
    rule('tells in which state each integration is for the caller, in order', async (t) => {
      const { id, ids } = await make(t, [
        { name: 'Open' },
        { name: 'Personal', authMode: 'user_token' },
        { name: 'Shared', authMode: 'server_token', serverToken: 'x' },
        { name: 'Unconfigured', authMode: 'oauth' },
      ]);
      await t.ok(`DELETE /integrations/${ids[3]}/oauth`);
      const expected = [
        ['open', 'unread'],
        ['personal', 'connect'],
        ['shared', 'unread'],
        ['unconfigured', 'failed'],
      ];
      expect((await t.ok(`GET ${pathOf(id)}`)).body).toStrictEqual({
        integrations: expected.map(([alias, state], index) => ({
          ...{ id: ids[index], alias, state, counts: NOTHING },
        })),
        leftOut: [],
      });
      await t.ok(`POST /integrations/${ids[1]}/connection`, { body: { token: 'own' } });
      expect((await t.ok(`GET ${pathOf(id)}`)).body.integrations[1].state).toBe('unread');
    }),

    rule('names only what the caller may use there', async (t) => {
      const { id, ids } = await make(t, [
        { name: 'Everyone' },
        { name: 'Admins' },
        { name: 'Archived' },
        { name: 'Credentials', category: 'internal_mcp_credentials' },
      ]);
      const body = { roles: ['owner'] };
      await t.ok(`PUT /applications/${id}/integrations/${ids[1]}/policy`, { body });
      await t.ok(`DELETE /integrations/${ids[2]}`);
      const aliasesFor = async (as: 'owner' | 'member') => {
        const { integrations } = (await t.ok(`GET ${pathOf(id)}`, { as })).body;
        return integrations.map(({ alias }: { alias: string }) => alias);
      };
      expect(await aliasesFor('owner')).toEqual(['everyone', 'admins']);
      expect(await aliasesFor('member')).toEqual(['everyone']);
    }),

    rule('is there for everyone who may use the URL, and as long as it serves', async (t) => {
      const { id } = await make(t, [{}]);
      const codeFor = async (as: 'owner' | 'member' | 'stranger') =>
        (await t.problem(`GET ${pathOf(id)}`, { as })).code;
      expect((await t.call(`GET ${pathOf(id)}`, { as: 'member' })).status).toBe(200);
      expect(await codeFor('stranger')).toBe('not_found');
      await t.ok(`PATCH /applications/${id}`, { body: { aggregate: { mode: 'off' } } });
      expect(await codeFor('owner')).toBe('not_found');
      await t.ok(`PATCH /applications/${id}`, { body: { aggregate: { mode: 'search' } } });
      expect((await t.call(`GET ${pathOf(id)}`)).status).toBe(200);
      await t.ok(`DELETE /applications/${id}`);
      expect([await codeFor('owner'), await codeFor('member')]).toEqual(['not_found', 'not_found']);
      expect((await t.problem(`GET ${pathOf(NOWHERE)}`)).code).toBe('not_found');
    }),
  ],
};
