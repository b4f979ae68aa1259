import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonNode } from '../../../src/mcp/json/node.ts';
import { MAX_AT_ONCE, parse, parseAtOnce } from '../../../src/mcp/json/parse.ts';
import { arrayOf, objectOf, recordOf, type Shape, VALUE } from '../../../src/mcp/json/shape.ts';
import { JsonTree } from '../../../src/mcp/json/tree.ts';
import { body, spoiled } from '../support/json-arbitrary.ts';

/** Every member and item of a text, down to this depth. */
function everything(depth: number): Shape {
  if (depth === 0) return VALUE;
  const inner = everything(depth - 1);
  return { ...recordOf(inner), ...arrayOf(inner) };
}

/** The value of a node as its inner nodes tell it, which is what `JSON.parse` makes of it. */
function parsed(node: JsonNode, text: Buffer): unknown {
  if (node.items.length > 0) return node.items.map((item) => parsed(item, text));
  if (node.members.length === 0) return JSON.parse(node.raw(text));
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries(node.members.map((member) => [member.name, parsed(member, text)]));
}

/** The keys of a value at any depth, as one text. */
const keysIn = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([key, inner]) => key + keysIn(inner))
        .join('')
    : '';

/** A text that comes in pieces of these lengths, over and over. */
function inPieces(text: Buffer, shape: Shape, lengths: readonly number[]): JsonNode | undefined {
  const tree = new JsonTree({ buffer: text, base: 0 }, shape);
  let start = 0;
  for (let turn = 0; start < text.length; turn += 1) {
    const end = start + (lengths[turn % lengths.length] ?? 1);
    if (!tree.feed(text.subarray(start, end))) return undefined;
    start = end;
  }
  return tree.end() ? tree.root : undefined;
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

const isRead = (text: Buffer | string) => parseAtOnce(Buffer.from(text), VALUE) !== undefined;

describe('the tree of a JSON text', () => {
  it('is there if JSON.parse accepts the text', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        expect(isRead(bytes)).toBe(true);
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it('is not there if JSON.parse refuses the text, whatever its bytes', () => {
    const seen = { json: 0, other: 0 };
    fc.assert(
      fc.property(spoiled, (bytes) => {
        // A byte order mark is accepted, which JSON.parse refuses.
        fc.pre(!bytes.toString().startsWith('\uFEFF'));
        const expected = isJson(bytes);
        seen[expected ? 'json' : 'other'] += 1;
        expect(isRead(bytes)).toBe(expected);
        expect(parseAtOnce(bytes, everything(3)) !== undefined).toBe(expected);
      }),
      { numRuns: 700, seed: 5 },
    );
    expect(Math.min(seen.json, seen.other)).toBeGreaterThan(100);
  });

  it.each([
    '',
    ' ',
    '-',
    '1.',
    '1e',
    '01',
    '+1',
    '.5',
    'tru',
    'nul',
    '"',
    '"\\u00e"',
    '"\n"',
    '[1',
    '1 2',
  ])('is not made of %j', (text) => {
    expect(isRead(text)).toBe(false);
  });

  it('has the values that JSON.parse finds, down to any depth', () => {
    fc.assert(
      fc.property(body, fc.nat(5), (text, depth) => {
        const value: unknown = JSON.parse(text.toString());
        // A key with U+0000 or half of a surrogate pair has no name.
        fc.pre(!/[\0\p{Surrogate}]/u.test(keysIn(value)));
        const root = parseAtOnce(text, everything(depth));
        expect(root && parsed(root, text)).toEqual(value);
      }),
      { numRuns: 500, seed: 71 },
    );
  });

  it('is the same wherever the text is cut', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.oneof(body, spoiled), lengths, (text, pieces) => {
        const shape = everything(3);
        expect(inPieces(text, shape, pieces)).toEqual(parseAtOnce(text, shape));
        expect(inPieces(text, shape, [1])).toEqual(parseAtOnce(text, shape));
      }),
      { numRuns: 300, seed: 73 },
    );
  });

  it('of a long text is the same, and lets other calls go on', async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, text: `row "${id}"` }));
    const text = Buffer.from(JSON.stringify({ rows, last: 1 }));
    expect(text.length).toBeGreaterThan(2 * MAX_AT_ONCE);
    const shape = objectOf(['last'], { rows: arrayOf(objectOf(['id'])) });
    let turns = 0;
    const count = () => {
      turns += 1;
    };
    setImmediate(count);
    const root = await parse(text, shape);
    expect(turns).toBe(1);
    const ids = root?.member('rows')?.items.map((item) => item.member('id')?.raw(text));
    expect(ids).toEqual(rows.map(({ id }) => String(id)));
    expect(root?.member('last')?.raw(text)).toBe('1');
  });

  it('has nodes only of what its shape names', () => {
    const text = Buffer.from('{"a":{"b":[1,{"c":2}],"x":3},"y":[4],"d":"e"}');
    const root = parseAtOnce(text, objectOf(['d'], { a: objectOf(['b']) }));
    expect(root?.members.map(({ name }) => name)).toEqual(['a', 'd']);
    expect(root?.count).toBe(3);
    const [b, ...others] = root?.member('a')?.members ?? [];
    expect(others).toEqual([]);
    expect(b?.raw(text)).toBe('[1,{"c":2}]');
    expect(b?.items).toEqual([]);
  });

  it('reports repeated keys, keys with escapes, and keys that some parsers take for the same', () => {
    const text = Buffer.from('{"a":1,"\\u0061":2,"A":3,"a\\u0000":4,"b":5}');
    const root = parseAtOnce(text, objectOf(['a']));
    expect(root?.members.map(({ isLookAlike, end }) => [isLookAlike, end])).toEqual([
      [false, 6],
      [false, 17],
      [true, 23],
      [true, 35],
    ]);
    expect(root?.member('a')?.raw(text)).toBe('1');
  });

  it('counts items above the number that its shape names', () => {
    const root = parseAtOnce(Buffer.from('[1,2,3,4]'), arrayOf(VALUE, 2));
    expect([root?.items.length, root?.count]).toEqual([2, 4]);
  });

  it('is not made of more nodes than an array of 256 KiB has items', async () => {
    const items = (count: number) => Buffer.from(`[${Array(count).fill(1).join()}]`);
    expect(await parse(items(131_072), arrayOf(VALUE))).toMatchObject({ count: 131_072 });
    expect(await parse(items(131_073), arrayOf(VALUE))).toBeUndefined();
  });

  it('reads deep nesting without recursion', () => {
    const text = Buffer.from(`${'[{"a":'.repeat(40_000)}1${'}]'.repeat(40_000)}`);
    const item: { items?: Shape; members?: Shape['members'] } = {};
    Object.assign(item, { ...recordOf(item), ...arrayOf(item) });
    expect(parseAtOnce(text, item)?.end).toBe(text.length);
  });

  it('skips deep nesting without recursion', () => {
    const depth = 200_000;
    const text = Buffer.from(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);
    expect(parseAtOnce(text, VALUE)?.end).toBe(text.length);
    expect(isRead(text.subarray(0, -1))).toBe(false);
  });

  it('hands over each value that its shape names when it has ended, and may forget it', () => {
    const text = Buffer.from('{"a":[{"b":1},{"b":2},3],"c":4,"d":5}');
    const ended: unknown[] = [];
    const tree = new JsonTree(
      { buffer: text, base: 0 },
      objectOf(['d'], { a: arrayOf(objectOf(['b'])) }),
      (value, parent) => {
        ended.push([value.raw(text), parent?.name, value.index]);
        if (parent?.name === 'a') tree.forgetLast(parent);
      },
    );
    expect(tree.feed(text) && tree.end()).toBe(true);
    expect(ended).toEqual([
      ['1', '', 0],
      ['{"b":1}', 'a', 0],
      ['2', '', 0],
      ['{"b":2}', 'a', 1],
      ['3', 'a', 2],
      ['[{"b":1},{"b":2},3]', '', 0],
      ['5', '', 2],
      [text.toString(), undefined, 0],
    ]);
    expect(tree.root?.member('a')).toMatchObject({ items: [], count: 3 });
    expect(tree.size).toBe(2);
  });
});
