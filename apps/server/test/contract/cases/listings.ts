import { expect } from 'vitest';
import { rule } from '../case.ts';
import { makeIntegration, NOWHERE } from '../make.ts';

const LISTS = ['prompts', 'resources'] as const;

export const listingCases = {
  title: 'Prompts and resources',
  cases: [
    rule('of an integration are for the admins of its organization alone', async (t) => {
      const { id } = await makeIntegration(t);
      for (const list of LISTS) {
        for (const [as, status] of [
          [null, 401],
          ['member', 403],
          ['stranger', 404],
          ['admin', 200],
        ] as const) {
          const { status: answered } = await t.call(`GET /integrations/${id}/${list}`, { as });
          expect(answered).toBe(status);
        }
        const missing = await t.problem(`GET /integrations/${NOWHERE}/${list}`);
        expect(missing.code).toBe('not_found');
      }
    }),

    rule('are listed by name and by URI, templates last, in pages', async (t) => {
      const { id: integrationId } = await makeIntegration(t);
      const other = await makeIntegration(t);
      const add = (kind: 'prompt' | 'resource' | 'resource_template', key: string) =>
        t.service.addListing({ integrationId, kind, key, definition: { title: key } });
      for (const name of ['b', 'a', 'c']) await add('prompt', name);
      await add('resource_template', 'a://{id}');
      for (const uri of ['z://1', 'b://1']) await add('resource', uri);
      const hidden = { kind: 'prompt', key: 'd', definition: null } as const;
      await t.service.addListing({ integrationId: other.id, ...hidden });

      const pagesOf = async (path: string, limit: number) => {
        const first = (await t.ok(`GET ${path}?limit=${limit}`)).body;
        const cursor = encodeURIComponent(first.nextCursor);
        const second = (await t.ok(`GET ${path}?limit=${limit}&cursor=${cursor}`)).body;
        expect(second.nextCursor).toBeNull();
        return [first.items, second.items];
      };
      const listedAt = expect.any(String);
      const prompt = (name: string) => ({ name, definition: { title: name }, listedAt });
      const resource = (kind: string, uri: string) => {
        return { kind, uri, definition: { title: uri }, listedAt };
      };
      expect(await pagesOf(`/integrations/${integrationId}/prompts`, 2)).toEqual([
        [prompt('a'), prompt('b')],
        [prompt('c')],
      ]);
      expect(await pagesOf(`/integrations/${integrationId}/resources`, 2)).toEqual([
        [resource('resource', 'b://1'), resource('resource', 'z://1')],
        [resource('resource_template', 'a://{id}')],
      ]);
      const { items } = (await t.ok(`GET /integrations/${other.id}/prompts`)).body;
      expect(items).toEqual([{ name: 'd', definition: null, listedAt }]);
    }),

    rule('take no cursor of each other', async (t) => {
      const { id: integrationId } = await makeIntegration(t);
      for (const key of ['a', 'b']) {
        for (const kind of ['prompt', 'resource'] as const) {
          await t.service.addListing({ integrationId, kind, key, definition: null });
        }
      }
      const path = `/integrations/${integrationId}`;
      const { nextCursor } = (await t.ok(`GET ${path}/prompts?limit=1`)).body;
      const cursor = encodeURIComponent(nextCursor);
      const problem = await t.problem(`GET ${path}/resources?cursor=${cursor}`);
      expect(problem.code).toBe('invalid_cursor');
    }),
  ],
};
