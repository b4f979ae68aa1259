import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeApplication, makeIntegration, makeMember } from '../make.ts';
import type { As } from '../targets/target.ts';

/** Integrations of a name that no other case uses, oldest first. */
async function named(t: Api, count: number) {
  const name = `Batch ${crypto.randomUUID()}`;
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) ids.push((await makeIntegration(t, { name })).id);
  return { query: `name=${name.replaceAll(' ', '%20')}`, ids };
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

export const paginationCases = {
  title: 'Pagination',
  cases: [
    rule('pages go from the newest to the oldest, and the last has no cursor', async (t) => {
      const { query, ids } = await named(t, 3);
      const first = (await t.ok(`GET /integrations?${query}&limit=2`)).body;
      expect(idsOf(first.items)).toEqual([ids[2], ids[1]]);
      const second = (await t.ok(`GET /integrations?${query}&limit=2&cursor=${first.nextCursor}`))
        .body;
      expect([idsOf(second.items), second.nextCursor]).toEqual([[ids[0]], null]);
    }),

    rule(
      'the limit may change between pages, and a row made meanwhile does not appear',
      async (t) => {
        const { query, ids } = await named(t, 3);
        const first = (await t.ok(`GET /integrations?${query}&limit=1`)).body;
        await makeIntegration(t, { name: decodeURIComponent(query.slice(5)) });
        const rest = (await t.ok(`GET /integrations?${query}&limit=50&cursor=${first.nextCursor}`))
          .body;
        expect(idsOf(rest.items)).toEqual([ids[1], ids[0]]);
      },
    ),

    rule('a cursor is of no use when altered, or made up', async (t) => {
      const { query } = await named(t, 2);
      const { nextCursor } = (await t.ok(`GET /integrations?${query}&limit=1`)).body;
      for (const cursor of [`${nextCursor}x`, nextCursor.slice(0, -2), 'made-up', '']) {
        expect([cursor, await t.problem(`GET /integrations?${query}&cursor=${cursor}`)]).toEqual([
          cursor,
          { status: 400, code: 'invalid_cursor', at: ['cursor'] },
        ]);
      }
    }),

    rule('a cursor is of no use with other filters, in another list or organization', async (t) => {
      const { query } = await named(t, 2);
      const { nextCursor } = (await t.ok(`GET /integrations?${query}&limit=1`)).body;
      const { nextCursor: unfiltered } = (await t.ok('GET /integrations?limit=1')).body;
      const calls: [string, As][] = [
        [`/integrations?cursor=${nextCursor}`, 'owner'],
        [`/integrations?${query}&includeArchived=true&cursor=${nextCursor}`, 'owner'],
        [`/applications?cursor=${nextCursor}`, 'owner'],
        [`/applications?all=true&cursor=${unfiltered}`, 'owner'],
        [`/integrations?${query}&cursor=${nextCursor}`, 'stranger'],
      ];
      for (const [path, as] of calls) {
        expect([path, (await t.problem(`GET ${path}`, { as })).code]).toEqual([
          path,
          'invalid_cursor',
        ]);
      }
      const other = await t.call(`GET /integrations?${query}&cursor=${nextCursor}`, {
        as: 'member',
      });
      expect(other.status).toBe(200);
    }),

    rule('the cursor of a personal list is bound to its user', async (t) => {
      const member = { token: (await makeMember(t, 'member')).token };
      for (let i = 0; i < 2; i += 1) await makeApplication(t, {}, member);
      const { nextCursor } = (await t.ok('GET /applications?limit=1', { as: member })).body;
      const path = `GET /applications?cursor=${nextCursor}`;
      expect((await t.problem(path)).code).toBe('invalid_cursor');
      expect((await t.call(path, { as: member })).status).toBe(200);
    }),

    rule('invalid limits and flags are refused', async (t) => {
      for (const query of [
        'limit=0',
        'limit=-1',
        'limit=1.5',
        'limit=x',
        'limit=',
        'limit=1&limit=2',
        'includeArchived=yes',
        'includeArchived=true&includeArchived=true',
      ]) {
        const { status, code } = await t.problem(`GET /integrations?${query}`);
        expect([query, status, code]).toEqual([query, 400, 'validation_failed']);
      }
    }),

    rule('a limit above 100 is lowered, and unknown parameters are ignored', async (t) => {
      const { body } = await t.ok('GET /integrations?limit=5000&unknown=1');
      expect(body.items.length).toBeLessThanOrEqual(100);
    }),

    rule('every list has pages', async (t) => {
      await makeMember(t, 'member');
      await makeApplication(t);
      const { id } = await makeApplication(t);
      for (const path of ['/applications', '/applications?all=true', '/members', '/tokens']) {
        await t.ok('POST /tokens', { body: { name: 'one more', scopes: ['mcp'] } });
        const sign = path.includes('?') ? '&' : '?';
        const first = (await t.ok(`GET ${path}${sign}limit=1`)).body;
        const second = (await t.ok(`GET ${path}${sign}limit=1&cursor=${first.nextCursor}`)).body;
        const [newest, next] = [first.items[0].id, second.items[0].id];
        expect([path, newest > next]).toEqual([path, true]);
      }
      const sessions = (await t.ok(`GET /applications/${id}/sessions`)).body;
      expect(sessions).toEqual({ items: [], nextCursor: null });
    }),
  ],
};
