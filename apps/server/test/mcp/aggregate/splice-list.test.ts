import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposedNameOf } from '../../../src/mcp/aggregate/exposed-name.ts';
import { type DrawnEntry, entry, keysLikeOurs, print, withKeysLikeOurs } from './list-arbitrary.ts';
import { attachment, MEMBER, splice } from './support.ts';

const M = MEMBER;

/** The only entry of a list, as the aggregate lists it. */
async function spliceOne(text: string): Promise<string> {
  const { texts, leftOut } = await splice([[text]]);
  expect(leftOut).toEqual([]);
  return texts[0] ?? '';
}

/** JSON without white space between its tokens. */
const compact = (json: string) =>
  json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string: string | undefined) => string ?? '');

const exposed = (name: string) => exposedNameOf({ ...attachment, name });

/** An entry of the aggregate without what it added, and with the name that it replaced. */
function undone(spliced: string, { name, meta }: DrawnEntry): string {
  const replace = (text: string, from: string, to: string) => {
    expect(text.split(from)).toHaveLength(2);
    return text.replace(from, () => to);
  };
  const [from, to] =
    meta === undefined
      ? [`,"_meta":{${M}}`, '']
      : typeof meta === 'string'
        ? [`{${M}}`, meta]
        : [meta.length === 0 ? M : `${M},`, ''];
  return replace(replace(spliced, from, to), `"${exposed(name)}"`, JSON.stringify(name));
}

describe('an entry of a list', () => {
  it.each([
    ['{"name":"a"}', `{"name":"zq7__a","_meta":{${M}}}`],
    [' {"name" : "a" } ', `{"name" : "zq7__a","_meta":{${M}} }`],
    ['{"n\\u0061me":"\\u0061"}', `{"n\\u0061me":"zq7__a","_meta":{${M}}}`],
    ['{"name":"a","_meta":{}}', `{"name":"zq7__a","_meta":{${M}}}`],
    ['{"name":"a","_meta":{ }}', `{"name":"zq7__a","_meta":{${M} }}`],
    ['{"_meta":{ "k":1 },"name":"a"}', `{"_meta":{ ${M},"k":1 },"name":"zq7__a"}`],
    ['{"_meta":null,"name":"a"}', `{"_meta":{${M}},"name":"zq7__a"}`],
    ['{"name":"a","_meta":[{"k":1}]}', `{"name":"zq7__a","_meta":{${M}}}`],
    ['{"name":"a","_meta":-1.5}', `{"name":"zq7__a","_meta":{${M}}}`],
    [
      '{"n":12345678901234567890,"name":"a","inputSchema":{"name":"b","_meta":{"gatehouse/x":1}}}',
      `{"n":12345678901234567890,"name":"zq7__a","inputSchema":{"name":"b","_meta":{"gatehouse/x":1}},"_meta":{${M}}}`,
    ],
  ])('%s becomes %s', async (text, expected) => {
    expect(await spliceOne(text)).toBe(expected);
  });

  it.each([
    ['{"gatehouse/integration":{"id":"x"}}', `{${M}}`],
    ['{ "gatehouse/x":1 , "k":2 }', `{ ${M} , "k":2 }`],
    ['{ "k":1 , "gatehouse/x":2 }', `{ ${M},"k":1 }`],
    ['{"k":1,"gatehouse/x":2,"gatehouse/y":[3],"l":4}', `{${M},"k":1,"l":4}`],
    ['{"gatehouse/x":2,"gatehouse/y":[3],"l":4,"gatehouse/z":5}', `{${M},"l":4}`],
  ])('with _meta %s has %s', async (meta, expected) => {
    expect(await spliceOne(`{"name":"a","_meta":${meta}}`)).toBe(
      `{"name":"zq7__a","_meta":${expected}}`,
    );
  });

  it.each(keysLikeOurs)('has no key %s of an upstream', async (key) => {
    expect(await spliceOne(`{"name":"a","_meta":{${key}:1,"k":2,${key}:3}}`)).toBe(
      `{"name":"zq7__a","_meta":{${M},"k":2}}`,
    );
  });

  it('keeps every other byte', async () => {
    const seen = { absent: 0, odd: 0, empty: 0, filled: 0 };
    await fc.assert(
      fc.asyncProperty(entry, async (drawn) => {
        const { meta } = drawn;
        const text = print(drawn);
        const spliced = await spliceOne(text);
        expect(undone(spliced, drawn)).toBe(text);
        const { name, _meta } = JSON.parse(spliced);
        const { integrationId: id, alias, integrationName } = attachment;
        expect(name).toBe(exposed(drawn.name));
        expect(_meta['gatehouse/integration']).toEqual({ id, alias, name: integrationName });
        if (meta === undefined) seen.absent += 1;
        else if (typeof meta === 'string') seen.odd += 1;
        else seen[meta.length === 0 ? 'empty' : 'filled'] += 1;
      }),
      { numRuns: 1_000, seed: 26 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(50);
  });

  it('with keys like ours becomes what it would without them', async () => {
    await fc.assert(
      fc.asyncProperty(withKeysLikeOurs, async ({ plain, forged }) => {
        const [expected, spliced] = [await spliceOne(print(plain)), await spliceOne(print(forged))];
        expect(compact(spliced)).toBe(compact(expected));
      }),
      { numRuns: 1_000, seed: 26 },
    );
  });

  it.each([
    ['resources', '{"uri":"a:1","name":"a","Name":"b"}', 'a:1'],
    ['resourceTemplates', '{"uriTemplate":"a:{x}","name":"a","uri":1,"uri":2}', 'a:{x}'],
  ] as const)('of %s keeps its name', async (list, text, identifier) => {
    const { entries, texts, names } = await splice([[text, text]], list);
    const expected = `${text.slice(0, -1)},"_meta":{${M}}}`;
    expect(texts).toEqual([expected, expected]);
    expect(entries[0]?.identifier).toBe(identifier);
    expect(names).toBeUndefined();
  });

  it('of prompts has its exposed name', async () => {
    const { texts } = await splice([['{"name":"a"}']], 'prompts');
    expect(texts).toEqual([`{"name":"zq7__a","_meta":{${M}}}`]);
  });

  it('keeps the escapes of a name that is exposed as it is', async () => {
    const bare = { ...attachment, alias: '', aliases: new Set(['']) };
    const { texts, entries } = await splice([['{"name":"\\u0061"}']], 'prompts', bare);
    expect(texts[0]).toMatch(/^\{"name":"\\u0061","_meta":/);
    expect(entries[0]?.identifier).toBe('a');
  });
});

describe('an entry is left out', () => {
  const MIB = 1024 * 1024;
  const sized = (size: number) => {
    const text = '{"name":"a","d":""}';
    return text.replace('""', `"${'x'.repeat(size - text.length)}"`);
  };

  it.each([
    ['null', undefined, 'unidentified'],
    ['"a"', undefined, 'unidentified'],
    ['[{"name":"a"}]', undefined, 'unidentified'],
    ['{}', undefined, 'unidentified'],
    ['{"name":7}', undefined, 'unidentified'],
    ['{"name":"\\ud800"}', undefined, 'unidentified'],
    [`{"name":"${'a'.repeat(16 * 1024 + 1)}"}`, undefined, 'unidentified'],
    ['{"uri":"a"}', undefined, 'unidentified'],
    ['{"name":"a","name":"a"}', 'a', 'ambiguous'],
    ['{"name":"a","name":"b"}', 'a', 'ambiguous'],
    ['{"name":"a","NAME":1}', 'a', 'ambiguous'],
    ['{"NAME":"b","name":"a"}', 'a', 'ambiguous'],
    ['{"name":"a","_meta":{},"_meta":{}}', 'a', 'ambiguous'],
    ['{"name":"a","_Meta":{}}', 'a', 'ambiguous'],
    ['{"name":"a","_meta\\u0000":{}}', 'a', 'ambiguous'],
  ])('like %s', async (text, name, reason) => {
    const { texts, leftOut } = await splice([[text, '{"name":"b"}']]);
    expect(leftOut).toEqual([{ name, reason }]);
    expect(texts).toHaveLength(1);
  });

  it('with more than 1 MiB', async () => {
    const { texts, leftOut } = await splice([[sized(MIB + 1), '{"name":"b"}']]);
    expect(leftOut).toEqual([{ name: 'a', reason: 'entry_too_large' }]);
    expect(texts).toHaveLength(1);
    expect(await spliceOne(sized(MIB))).toHaveLength(
      MIB + 'zq7__'.length + `,"_meta":{${M}}`.length,
    );
  });

  it('with a name that an entry of another page has, even one that is left out', async () => {
    const reason = 'name_not_unique';
    const twice = await splice([['{"name":"a"}', '{"name":"b"}'], ['{"name":"a"}']]);
    expect(twice.leftOut).toEqual([
      { name: 'a', reason },
      { name: 'a', reason },
    ]);
    expect(twice.entries.map(({ identifier }) => identifier)).toEqual(['zq7__b']);
    const odd = await splice([['{"name":"a","Name":1}'], ['{"name":"a"}']]);
    expect(odd.leftOut).toEqual([
      { name: 'a', reason: 'ambiguous' },
      { name: 'a', reason },
    ]);
  });
});

it('a tool that runs as a task only is left out, and one that may run as a task is not', async () => {
  const tool = (name: string, support: string) =>
    `{"name":"${name}","description":"\\"taskSupport\\"","execution":{"taskSupport":"${support}"}}`;
  const { leftOut, entries } = await splice([[tool('a', 'required'), tool('b', 'optional')]]);
  expect(leftOut).toEqual([{ name: 'a', reason: 'needs_task' }]);
  expect(entries.map(({ identifier }) => identifier)).toEqual(['zq7__b']);
});

it('a list of some megabytes lets other calls go on', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const entries = Array.from(
    { length: 4_000 },
    (_, index) => `{"name":"n${index}","d":"${'x'.repeat(1_000)}"}`,
  );
  const { texts } = await splice([entries]);
  clearImmediate(next);
  expect(texts).toHaveLength(4_000);
  // Sixteen pauses of the reader, and three of the writer.
  expect(turns).toBeGreaterThan(15);
});
