import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../../../src/mcp/json/scanner.ts';
import { body, spoiled } from '../support/json-arbitrary.ts';

type Event = readonly [kind: string, text: string];

/** Scans chunks and looks into containers as long as `isWatched` says so of their depth. */
function scan(
  chunks: readonly Buffer[],
  isWatched: (depth: number) => boolean = () => true,
): Event[] | undefined {
  const whole = Buffer.concat(chunks);
  const events: Event[] = [];
  const starts: number[] = [];
  const open: boolean[] = [];
  const scanner = new JsonScanner({
    key: (start, end) => events.push(['key', whole.toString('utf8', start, end)]),
    begin: (start, byte) => {
      const isOpen = (byte === 0x7b || byte === 0x5b) && isWatched(open.filter(Boolean).length);
      starts.push(start);
      open.push(isOpen);
      return isOpen;
    },
    end: (end) => {
      open.pop();
      events.push(['value', whole.toString('utf8', starts.pop(), end)]);
    },
  });
  const isJson = chunks.every((chunk) => scanner.feed(chunk)) && scanner.end();
  return isJson ? events : undefined;
}

/** What a scan of the same text must announce, by `JSON.parse`: values from the inside to the outside. */
function expectedEvents(value: unknown, depth = Number.POSITIVE_INFINITY): Event[] {
  const self: Event = ['value', JSON.stringify(value)];
  if (typeof value !== 'object' || value === null || depth === 0) return [self];
  const inner = Array.isArray(value)
    ? value.flatMap((item) => expectedEvents(item, depth - 1))
    : Object.entries(value).flatMap(([key, item]): Event[] => [
        ['key', JSON.stringify(key)],
        ...expectedEvents(item, depth - 1),
      ]);
  return [...inner, self];
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

/** A scan accepts a byte order mark, which `JSON.parse` refuses. */
const hasMark = (bytes: Buffer) => bytes.toString().startsWith('\uFEFF');

describe('the JSON scanner', () => {
  it('accepts what JSON.parse accepts', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        expect(scan([bytes])).toBeDefined();
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it('refuses what JSON.parse refuses, whatever the bytes', () => {
    const seen = { json: 0, other: 0 };
    fc.assert(
      fc.property(spoiled, (bytes) => {
        fc.pre(!hasMark(bytes));
        const expected = isJson(bytes);
        seen[expected ? 'json' : 'other'] += 1;
        expect(scan([bytes]) !== undefined).toBe(expected);
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
  ])('refuses %j', (text) => {
    expect(scan([Buffer.from(text)])).toBeUndefined();
  });

  it('announces the keys and values that JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, depth) => {
        const text = Buffer.from(JSON.stringify(value));
        const plain: unknown = JSON.parse(text.toString());
        expect(scan([text])).toEqual(expectedEvents(plain));
        expect(scan([text], (at) => at < depth)).toEqual(expectedEvents(plain, depth));
      }),
      { numRuns: 200, seed: 17 },
    );
  });

  it('announces the same wherever the text is cut', () => {
    fc.assert(
      fc.property(fc.oneof(body, spoiled), (bytes) => {
        const whole = scan([bytes]);
        const single = [...bytes].map((byte) => Buffer.from([byte]));
        expect(scan(single)).toEqual(whole);
        const middle = Math.floor(bytes.length / 2);
        expect(scan([bytes.subarray(0, middle), bytes.subarray(middle)])).toEqual(whole);
      }),
      { numRuns: 100, seed: 19 },
    );
  });

  it('reads deep nesting without recursion', () => {
    const depth = 200_000;
    const text = Buffer.from(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);
    expect(scan([text], () => false)).toHaveLength(1);
    expect(scan([text.subarray(0, -1)], () => false)).toBeUndefined();
  });
});
