import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageIdScanner, type MessageIds } from '../../src/mcp/message-id-scanner.ts';

function scan(body: Buffer, cuts: readonly number[] = []): MessageIdScanner {
  const scanner = new MessageIdScanner();
  let start = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const end = Math.max(start, Math.min(cut, body.length));
    scanner.feed(body.subarray(start, end));
    start = end;
  }
  scanner.feed(body.subarray(start));
  return scanner;
}

const byteByByte = (text: string) =>
  scan(
    Buffer.from(text),
    Array.from({ length: Buffer.byteLength(text) }, (_, index) => index),
  );

type Parsed = { kind: string; ids: unknown[] };

/** The ids that `JSON.parse` finds in the whole body. */
function parseWhole(text: string): Parsed {
  const isId = (id: unknown) => id === null || ['string', 'number'].includes(typeof id);
  const idsOf = (value: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const { id } = value as { id?: unknown };
    return Object.hasOwn(value, 'method') && Object.hasOwn(value, 'id') && isId(id) ? [id] : [];
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'malformed', ids: [] };
  }
  const ids = Array.isArray(value) ? value.flatMap(idsOf) : idsOf(value);
  const kind = Array.isArray(value) ? 'batch' : 'request';
  return { kind: ids.length === 0 ? 'nothing' : kind, ids };
}

function parsed(ids: MessageIds): Parsed {
  const raw = ids.kind === 'request' ? [ids.id] : ids.kind === 'batch' ? ids.ids : [];
  return { kind: ids.kind, ids: raw.map((id) => JSON.parse(id)) };
}

const blank = fc.constantFrom('', '', '', ' ', '\n', '\t\r ');
const tricky = fc.constantFrom(
  '\\',
  '"',
  '\\"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\u0000',
  'é',
  '\u{1f600}',
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(tricky, { maxLength: 90 }).map((parts) => parts.join('')),
);
const number = fc.constantFrom('0', '-0', '7', '1.50e+3', '-2E-9', '12345678901234567890');
/** A string literal with some of its characters escaped that need not be. */
const literal = fc
  .tuple(
    fc.oneof(text, fc.constantFrom('id', 'method', 'ID', 'id ')),
    fc.array(fc.boolean(), { maxLength: 8 }),
  )
  .map(([value, escapes]) => {
    const units = [...value].map((unit, index) => {
      const code = unit.charCodeAt(0);
      if (!escapes[index] || unit.length > 1) return JSON.stringify(unit).slice(1, -1);
      return `\\u${code.toString(16).padStart(4, '0')}`;
    });
    return `"${units.join('')}"`;
  });
const deep = fc.nat(300).map((depth) => `${'[{"id":'.repeat(depth)}1${'}]'.repeat(depth)}`);
const { value, message } = fc.letrec<{ value: string; members: string; message: string }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      number,
      fc.constantFrom('true', 'false', 'null'),
      literal,
      deep,
      tie('message'),
      fc
        .array(
          fc.tuple(blank, tie('value'), blank).map((parts) => parts.join('')),
          { maxLength: 4 },
        )
        .map((items) => `[${items.join(',')}]`),
    ),
    members: fc
      .array(
        fc
          .tuple(
            blank,
            fc.oneof(fc.constantFrom('"id"', '"method"', '"\\u0069d"', '"m\\u0065thod"'), literal),
            blank,
            blank,
            tie('value'),
            blank,
          )
          .map(([a, key, b, c, member, d]) => `${a}${key}${b}:${c}${member}${d}`),
        { maxLength: 6 },
      )
      .map((members) => members.join(',')),
    message: fc.tuple(tie('members'), blank).map(([members, space]) => `{${members || space}}`),
  }),
);
const batch = fc.array(fc.oneof(message, value)).map((items) => `[${items.join(',')}]`);
const body = fc
  .tuple(blank, fc.oneof(message, batch, value), blank)
  .map(([before, inner, after]) => Buffer.from(`${before}${inner}${after}`));
const cuts = fc.array(fc.nat(400), { maxLength: 12 });

describe('the message ids of a body that arrives in chunks', () => {
  it('are those that JSON.parse finds in the whole body', () => {
    const seen: Record<string, number> = {};
    fc.assert(
      fc.property(body, cuts, (bytes, at) => {
        const expected = parseWhole(bytes.toString());
        seen[expected.kind] = (seen[expected.kind] ?? 0) + 1;
        deepStrictEqual(parsed(scan(bytes, at).messageIds(true)), expected);
      }),
      { numRuns: 600, seed: 7 },
    );
    for (const kind of ['request', 'batch', 'nothing']) expect(seen[kind]).toBeGreaterThan(20);
    expect(seen.malformed).toBeUndefined();
  });

  it('do not depend on where the chunks end, whatever the bytes', () => {
    const spoiled = fc
      .tuple(body, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }))
      .map(([bytes, spots]) => {
        for (const [at, byte] of spots) if (bytes.length > 0) bytes[at % bytes.length] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(spoiled, cuts, (bytes, at) => {
        const whole = scan(bytes).messageIds(true);
        deepStrictEqual(scan(bytes, at).messageIds(true), whole);
        const expected = parseWhole(bytes.toString());
        if (expected.kind !== 'malformed') deepStrictEqual(parsed(whole), expected);
        // What the scanner calls malformed is malformed; the reverse is not true, as it skips values.
        if (whole.kind === 'malformed') expect(expected.kind).toBe('malformed');
      }),
      { numRuns: 600, seed: 11 },
    );
  });

  it('are malformed when the body ends too soon', () => {
    fc.assert(
      fc.property(message, fc.nat(), (whole, at) => {
        const part = Buffer.from(whole).subarray(0, at % Buffer.byteLength(whole));
        expect(scan(part).messageIds(true)).toEqual({ kind: 'malformed' });
      }),
      { numRuns: 300, seed: 13 },
    );
  });

  it.each([
    '{"id":1,"method":"x",}',
    '{"id":1,"method":"x"}}',
    '{"id":1,"method":"x"},',
    '{"id":1 "method":"x"}',
    '{"id" 1,"method":"x"}',
    '{"id":01,"method":"x"}',
    '{"id":nul,"method":"x"}',
    '{"id":"\\x","method":"x"}',
    '{id:1,"method":"x"}',
    '[{"id":1,"method":"x"}',
    '[{"id":1,"method":"x"},]',
    '\uFEFF{"id":1,"method":"x"}',
    '7,',
  ])('are malformed in %s', (text) => {
    expect(parseWhole(text).kind).toBe('malformed');
    expect(scan(Buffer.from(text)).messageIds(true)).toEqual({ kind: 'malformed' });
    expect(byteByByte(text).messageIds(true)).toEqual({ kind: 'malformed' });
  });

  it('decode invalid UTF-8 as a whole body is decoded', () => {
    const bytes = Buffer.from('{"method":"x","\xff":"\xc3","id":"\xe2\x82"}', 'latin1');
    const expected = { kind: 'request', ids: ['\uFFFD'] };
    expect(parseWhole(bytes.toString())).toEqual(expected);
    expect(parsed(scan(bytes, [20, 21, 22, 29]).messageIds(true))).toEqual(expected);
  });

  it('are settled by the id of a request, and never inside a batch', () => {
    const settled = (text: string) => byteByByte(text).isSettled;
    expect(settled('{"method":"x","id":12')).toBe(false);
    expect(settled('{"method":"x","id":12,')).toBe(true);
    expect(settled('{"id":"a"')).toBe(false);
    expect(settled('[{"method":"x","id":12},')).toBe(false);
    expect(settled('<')).toBe(true);
  });

  it('of a part are those found so far', () => {
    const part = (text: string) => byteByByte(text).messageIds(false);
    expect(part('{"id":9,"method":"x","params":{"a":"b')).toEqual({ kind: 'request', id: '9' });
    expect(part('{"method":"x","params":{"id":1')).toEqual({ kind: 'nothing' });
    expect(part('[{"method":"x","id":1},{"id":2,"method"')).toEqual({ kind: 'batch', ids: ['1'] });
  });

  it('are at most 256 KiB, as many as a body that is read whole can have', () => {
    const bodyWith = (id: string) => Buffer.from(`{"method":"x","id":"${id}"}`);
    expect(scan(bodyWith('i'.repeat(262_100))).messageIds(true).kind).toBe('request');
    expect(scan(bodyWith('i'.repeat(262_200))).messageIds(true)).toEqual({ kind: 'nothing' });
    const cuts = [1000, 70_000, 140_000, 210_000];
    expect(scan(bodyWith('i'.repeat(262_100)), cuts).messageIds(true).kind).toBe('request');
    expect(scan(bodyWith('i'.repeat(262_200)), cuts).messageIds(true)).toEqual({ kind: 'nothing' });
    const batchOf = (count: number) =>
      Buffer.from(`[${Array.from({ length: count }, () => '{"id":1,"method":0}').join(',')}]`);
    const largest = batchOf(13_106);
    expect(largest.length).toBeLessThanOrEqual(262_144);
    expect(parsed(scan(largest).messageIds(true)).ids).toHaveLength(13_106);
    expect(scan(batchOf(13_200)).messageIds(true)).toEqual({ kind: 'nothing' });
  });
});
