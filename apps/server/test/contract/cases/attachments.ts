import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, NOWHERE } from '../make.ts';

const pathOf = (id: string, integrationId = '') =>
  `/applications/${id}/integrations${integrationId && `/${integrationId}`}`;
const read = async (t: Api, id: string) => (await t.ok(`GET ${pathOf(id)}`)).body.integrationIds;
const versionOf = async (t: Api, id: string) =>
  (await t.ok(`GET /applications/${id}`)).headers.get('etag');

async function aliasesOf(t: Api, id: string): Promise<string[]> {
  const { application } = (await t.ok(`GET /applications/${id}`)).body;
  return application.integrations.map(({ alias }: { alias: string }) => alias);
}

async function make(t: Api, count: number) {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) ids.push((await makeIntegration(t)).id);
  return { id: (await makeApplication(t)).id as string, ids };
}

export const attachmentCases = {
  title: 'Attachments',
  cases: [
    rule('are made one by one, in order, and twice without effect', async (t) => {
      const { id, ids } = await make(t, 2);
      for (const integrationId of ids) {
        const attached = await t.call(`POST ${pathOf(id, integrationId)}`);
        expect([attached.status, attached.body]).toEqual([204, undefined]);
      }
      expect([await read(t, id), await versionOf(t, id)]).toEqual([ids, '"v3"']);
      const again = await t.call(`POST ${pathOf(id, ids[0])}`);
      expect([again.status, again.headers.get('etag')]).toEqual([204, '"v3"']);
    }),

    rule('show in the application with the URL for MCP clients', async (t) => {
      const { id, ids } = await make(t, 1);
      const internal = await makeIntegration(t, { category: 'internal_mcp_credentials' });
      await t.ok(`PUT ${pathOf(id)}`, { body: { integrationIds: [ids[0], internal.id] } });
      const { application } = (await t.ok(`GET /applications/${id}`)).body;
      const origin = t.service.baseUrl.replace('/api/v1', '');
      const entry = {
        name: 'Issue tracker',
        authMode: 'none',
        validationStatus: 'pending',
        archivedAt: null,
        attachedAt: expect.any(String),
        alias: 'issue-tracker',
      };
      expect(application.integrations).toStrictEqual([
        {
          id: ids[0],
          category: 'gateway_remote_mcp',
          mcpUrl: `${origin}/mcp/${id}/${ids[0]}`,
          ...entry,
        },
        {
          id: internal.id,
          category: 'internal_mcp_credentials',
          mcpUrl: null,
          ...entry,
          alias: 'issue-tracker-2',
        },
      ]);
    }),

    rule('have an alias from the name, in the order of the request, and keep it', async (t) => {
      const { id } = await make(t, 0);
      const names = ['Größe & Co.', 'Größe & Co.', '株式会社', 'Gatehouse', 'A'.repeat(40)];
      const ids: string[] = [];
      for (const name of names) ids.push((await makeIntegration(t, { name })).id);
      await t.ok(`PUT ${pathOf(id)}`, { body: { integrationIds: ids } });
      const aliases = ['gro-e-co', 'gro-e-co-2', 'integration', 'gatehouse-2', 'a'.repeat(16)];
      expect(await aliasesOf(t, id)).toEqual(aliases);
      await t.ok(`PATCH /integrations/${ids[0]}`, { body: { name: 'Renamed' } });
      expect(await aliasesOf(t, id)).toEqual(aliases);
      await t.ok(`PUT ${pathOf(id)}`, { body: { integrationIds: ids.slice(1) } });
      await t.ok(`POST ${pathOf(id, ids[0])}`);
      expect(await aliasesOf(t, id)).toEqual([...aliases.slice(1), 'renamed']);
    }),

    rule('can be given another alias, which is the next version of the application', async (t) => {
      const { id, ids } = await make(t, 1);
      await t.ok(`PUT ${pathOf(id)}`, { body: { integrationIds: ids } });
      const line = `PATCH ${pathOf(id, ids[0])}`;
      const changed = await t.call(line, { body: { alias: '' } });
      expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"v3"']);
      const { integrations } = (await t.ok(`GET /applications/${id}`)).body.application;
      expect(changed.body).toStrictEqual({ integration: integrations[0] });
      expect(integrations[0].alias).toBe('');
      const same = await t.call(line, { body: { ...integrations[0] } });
      expect([same.status, same.headers.get('etag')]).toEqual([200, '"v3"']);
      expect((await t.call(line, { body: {} })).headers.get('etag')).toBe('"v3"');
      const refused = await t.call(line, {
        body: { alias: 'late' },
        headers: { 'if-match': '"v2"' },
      });
      expect(refused.status).toBe(412);
    }),

    rule('have no alias of another one, of another form, or of the gateway', async (t) => {
      const { id, ids } = await make(t, 2);
      await t.ok(`PUT ${pathOf(id)}`, { body: { integrationIds: ids } });
      const line = `PATCH ${pathOf(id, ids[1])}`;
      const aliases = ['gatehouse', 'Upper', 'under_score', 'a'.repeat(17), 'é', 'a b', null];
      for (const alias of aliases) {
        const refused = await t.problem(line, { body: { alias } });
        expect([alias, refused]).toEqual([
          alias,
          { status: 400, code: 'validation_failed', at: ['/alias'] },
        ]);
      }
      const taken = await t.problem(line, { body: { alias: 'issue-tracker' } });
      expect(taken).toEqual({ status: 409, code: 'alias_taken', at: ['/alias'] });
      const fixed = await t.problem(line, { body: { alias: 'free', name: 'Other' } });
      expect(fixed).toEqual({ status: 400, code: 'validation_failed', at: ['/name'] });
      expect(await aliasesOf(t, id)).toEqual(['issue-tracker', 'issue-tracker-2']);
    }),

    rule('that are not there, or of an archived application, take no alias', async (t) => {
      const { id, ids } = await make(t, 1);
      const line = `PATCH ${pathOf(id, ids[0])}`;
      const body = { alias: 'other' };
      expect(await t.problem(line, { body })).toMatchObject({ status: 404, code: 'not_found' });
      await t.ok(`POST ${pathOf(id, ids[0])}`);
      await t.ok(`DELETE /applications/${id}`);
      expect(await t.problem(line, { body })).toMatchObject({ status: 409, code: 'archived' });
    }),

    rule('are replaced as a set, and the same set changes nothing', async (t) => {
      const { id, ids } = await make(t, 3);
      const put = (integrationIds: unknown) =>
        t.call(`PUT ${pathOf(id)}`, { body: { integrationIds } });
      const first = await put([ids[0], ids[1], ids[0]]);
      expect(first.body).toStrictEqual({ integrationIds: [ids[0], ids[1]] });
      expect(first.headers.get('etag')).toBe('"v2"');
      const same = await put([ids[1], ids[0]]);
      expect([same.body.integrationIds, same.headers.get('etag')]).toEqual([
        [ids[0], ids[1]],
        '"v2"',
      ]);
      const other = await put([ids[2], ids[1]?.toUpperCase()]);
      expect(other.body.integrationIds).toEqual([ids[1], ids[2]]);
      expect((await put([])).body.integrationIds).toEqual([]);
    }),

    rule('are replaced all or not at all, and each fault is named', async (t) => {
      const { id, ids } = await make(t, 3);
      const [kept = '', archived = '', added = ''] = ids;
      const foreign = (await makeIntegration(t, {}, 'stranger')).id;
      await t.ok(`POST ${pathOf(id, kept)}`);
      await t.ok(`DELETE /integrations/${archived}`);
      const integrationIds = [added, NOWHERE, kept, foreign, archived];
      const refused = await t.problem(`PUT ${pathOf(id)}`, { body: { integrationIds } });
      expect(refused).toEqual({
        status: 400,
        code: 'validation_failed',
        at: ['/integrationIds/1', '/integrationIds/3', '/integrationIds/4'],
      });
      expect([await read(t, id), await versionOf(t, id)]).toEqual([[kept], '"v2"']);
    }),

    rule('to an archived integration stay, and no new one is made', async (t) => {
      const { id, ids } = await make(t, 2);
      const [attached = '', other = ''] = ids;
      await t.ok(`POST ${pathOf(id, attached)}`);
      for (const one of ids) await t.ok(`DELETE /integrations/${one}`);
      expect(await read(t, id)).toEqual([attached]);
      expect((await t.call(`POST ${pathOf(id, attached)}`)).status).toBe(204);
      expect(await t.problem(`POST ${pathOf(id, other)}`)).toMatchObject({ code: 'archived' });
      await t.ok(`PUT ${pathOf(id)}`, { body: { integrationIds: [attached] } });
    }),

    rule('are removed, even when missing, and respect If-Match', async (t) => {
      const { id, ids } = await make(t, 2);
      await t.ok(`PUT ${pathOf(id)}`, { body: { integrationIds: ids } });
      const line = `DELETE ${pathOf(id, ids[0])}`;
      expect((await t.call(line, { headers: { 'if-match': '"v1"' } })).status).toBe(412);
      const removed = await t.call(line, { headers: { 'if-match': '"v2"' } });
      expect([removed.status, removed.body]).toEqual([204, undefined]);
      expect([await read(t, id), await versionOf(t, id)]).toEqual([[ids[1]], '"v3"']);
      expect((await t.call(line)).headers.get('etag')).toBe('"v3"');
    }),

    rule('of an archived application cannot change', async (t) => {
      const { id, ids } = await make(t, 2);
      await t.ok(`POST ${pathOf(id, ids[0])}`);
      await t.ok(`DELETE /applications/${id}`);
      for (const line of [
        `POST ${pathOf(id, ids[0])}`,
        `POST ${pathOf(id, ids[1])}`,
        `DELETE ${pathOf(id, ids[0])}`,
      ]) {
        expect([line, (await t.problem(line)).code]).toEqual([line, 'archived']);
      }
    }),

    rule('count each id once, in either case', async (t) => {
      const { id, ids } = await make(t, 1);
      const [one = ''] = ids;
      const put = (integrationIds: unknown) =>
        t.call(`PUT ${pathOf(id)}`, { body: { integrationIds } });
      const copies = Array.from({ length: 501 }, (_, i) => (i % 2 ? one : one.toUpperCase()));
      expect((await put(copies)).body).toEqual({ integrationIds: [one] });
      const many = Array.from({ length: 501 }, () => crypto.randomUUID());
      const refused = await put(many);
      expect([refused.status, refused.body.errors]).toMatchObject([
        400,
        [{ pointer: '/integrationIds', code: 'too_big' }],
      ]);
    }),

    rule('name the place of an invalid id', async (t) => {
      const { id } = await make(t, 0);
      const body = { integrationIds: [NOWHERE, 'x'] };
      expect((await t.problem(`PUT ${pathOf(id)}`, { body })).at).toEqual(['/integrationIds/1']);
      expect((await t.problem(`POST ${pathOf(id, 'x')}`)).at).toEqual(['integrationId']);
    }),
  ],
};
