import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readListPage } from '../../../src/mcp/aggregate/read-list-page.ts';
import { responseText } from '../list-filter/arbitrary.ts';
import { pageOf } from './support.ts';

const read = (text: string | Buffer) => readListPage(Buffer.from(text), 'tools');
const tool = '{"name":"a"}';

/** The items of a list in a parsed response; undefined if it has no such list. */
function itemsOf(response: unknown, list: string): readonly unknown[] | undefined {
  if (Array.isArray(response)) return undefined;
  const { result = {} } = response as { result?: Record<string, unknown> };
  const items = Object.hasOwn(result, list) ? result[list] : undefined;
  return Array.isArray(items) ? items : undefined;
}

describe('a page of a list', () => {
  it('has the bytes of its entries, in order', async () => {
    const entries = ['{"name":"b" }', tool, 'null'];
    const page = await read(pageOf([' {"name":"b" } ', ` ${tool}`, 'null\n']));
    if (typeof page === 'string') throw new Error(page);
    expect(page.entries.map(({ bytes }) => bytes.toString())).toEqual(entries);
    expect(page.entries.map(({ identifier }) => identifier)).toEqual(['b', 'a', undefined]);
  });

  it('has the items that parsing gives', async () => {
    const seen = { lists: 0, others: 0 };
    await fc.assert(
      fc.asyncProperty(responseText, fc.constantFrom('tools', 'prompts'), async (text, list) => {
        const page = await readListPage(Buffer.from(text), list);
        const items = typeof page === 'string' ? undefined : page.entries;
        const parsed = items?.map(({ bytes }) => JSON.parse(bytes.toString()));
        expect(parsed).toEqual(itemsOf(JSON.parse(text), list));
        seen[parsed === undefined ? 'others' : 'lists'] += 1;
      }),
      { numRuns: 1_000, seed: 26 },
    );
    expect(Math.min(seen.lists, seen.others)).toBeGreaterThan(50);
  });

  it.each([
    ['', undefined, undefined],
    [',"nextCursor":"a\\u0062","ttlMs":1500', 'ab', 1500],
    [',"nextCursor":null,"ttlMs":null', undefined, undefined],
    [',"nextCursor":7,"ttlMs":"7"', undefined, undefined],
    [',"nextCursor":[1],"ttlMs":[{"name":"a"}]', undefined, undefined],
    [',"nextcursor":"a","ttlMs":-1,"_meta":{"nextCursor":"a","ttlMs":1}', undefined, undefined],
  ])('with%s has cursor %s and time to live %s', async (rest, nextCursor, ttlMs) => {
    expect(await read(pageOf([], 'tools', rest))).toEqual({ entries: [], nextCursor, ttlMs });
  });

  it('is found only in the result', async () => {
    const page = await read(
      `\uFEFF{"tools":[1],"params":{"tools":[1]},"Result":{"tools":[1]},"result":{"prompts":[1],"_meta":{"tools":[1]},"x":[[1]],"Tools":[1],"tools":[${tool}]}}`,
    );
    expect(page).toMatchObject({ entries: [{ identifier: 'a' }] });
  });

  it('has at most 5,000 entries', async () => {
    const entries = Array<string>(5_000).fill(tool);
    expect(await read(pageOf(entries))).toMatchObject({ entries: { length: 5_000 } });
    expect(await read(pageOf([...entries, '1']))).toBe('too_many_entries');
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"tools"}}',
    '{"result":{}}',
    '{"result":[]}',
    '{"result":null}',
    '{"result":{"tools":{"a":1}}}',
    '{"result":{"tools":null}}',
    `[{"result":{"tools":[${tool}]}}]`,
    '"tools"',
    '7',
  ])('is not in %s', async (text) => {
    expect(await read(text)).toBe('no_list');
  });

  it.each([
    '',
    '{"result":{"tools":[]}',
    '{"result":{"tools":[{"name":"a",}]}}',
    '{"result":{"tools":[]}}{}',
    '{"result":{"tools":[],"tools":[]}}',
    '{"result":{"tools":[]},"result":{}}',
  ])('is unreadable in %s', async (text) => {
    expect(await read(text)).toBe('unreadable');
  });

  it('is unreadable if it is not UTF-8', async () => {
    expect(await read(Buffer.from('{"result":{"tools":[{"name":"\xe9"}]}}', 'latin1'))).toBe(
      'unreadable',
    );
  });
});
