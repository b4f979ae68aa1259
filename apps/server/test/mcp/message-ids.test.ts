import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MessageIds, readMessageIds as readMessageIdsOf } from '../../src/mcp/message-ids.ts';
import { body, message, spoiled } from './support/json-arbitrary.ts';

const readMessageIds = (text: string) => readMessageIdsOf(Buffer.from(text));

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

describe('the id of a JSON-RPC request', () => {
  it.each([
    ['{"id":1,"method":"x"}', '1'],
    ['{"method":"x","params":{"id":2},"id":"a"}', '"a"'],
    [' {\n"method" : "x" , "id" : 12345678901234567890 } ', '12345678901234567890'],
    ['{"method":"x","id":1.50e+3}', '1.50e+3'],
    ['{"method":"x","id":-0}', '-0'],
    ['{"method":"x","id":"\\u0061\\"}{"}', '"\\u0061\\"}{"'],
    ['{"method":"x","\\u0069d":7}', '7'],
    ['{"method":"x","id":1,"id":2}', '2'],
    ['{"method":"x","id":null}', 'null'],
  ])('of %s is %s', (text, id) => {
    expect(readMessageIds(text)).toEqual({ kind: 'request', id });
  });

  it.each([
    '{"method":"x"}',
    '{"id":1,"result":{}}',
    '{"id":true,"method":"x"}',
    '{"id":{},"method":"x"}',
    '[]',
    '[{"method":"x"}]',
    '7',
    '"id"',
  ])('is missing in %s', (text) => {
    expect(readMessageIds(text)).toEqual({ kind: 'nothing' });
  });

  it.each(['', '{', '{"id":1,"method":"x"', 'id', '{"id":1,"method":"x"}}'])(
    'is malformed in what is not JSON: %s',
    (text) => {
      expect(readMessageIds(text)).toEqual({ kind: 'malformed' });
    },
  );

  it('is found for each request of a batch', () => {
    const text =
      '[{"id":1,"method":"a"},{"method":"n"},{"id":2,"result":1},{"method":"b","id":"c"}]';
    expect(readMessageIds(text)).toEqual({ kind: 'batch', ids: ['1', '"c"'] });
  });

  it('is the one JSON.parse finds, whatever else the message contains', () => {
    const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null));
    const message = fc.record({
      id,
      method: fc.string(),
      params: fc.json().map((text) => JSON.parse(text)),
    });
    const indent = fc.constantFrom(0, 2, '\t');
    fc.assert(
      fc.property(message, indent, fc.boolean(), (value, space, isReversed) => {
        const entries = Object.entries(value);
        const ordered = Object.fromEntries(isReversed ? entries.reverse() : entries);
        const ids = readMessageIds(JSON.stringify(ordered, null, space));
        expect(ids.kind === 'request' && JSON.parse(ids.id)).toEqual(value.id);
      }),
    );
  });
});

describe('the message ids of a body', () => {
  it('are those that JSON.parse finds', () => {
    const seen: Record<string, number> = {};
    fc.assert(
      fc.property(body, (bytes) => {
        const expected = parseWhole(bytes.toString());
        seen[expected.kind] = (seen[expected.kind] ?? 0) + 1;
        deepStrictEqual(parsed(readMessageIdsOf(bytes)), expected);
      }),
      { numRuns: 2_000, seed: 7 },
    );
    for (const kind of ['request', 'batch', 'nothing']) expect(seen[kind]).toBeGreaterThan(20);
    expect(seen.malformed).toBeUndefined();
  });

  it('are those that JSON.parse finds, whatever the bytes', () => {
    fc.assert(
      fc.property(spoiled, (bytes) => {
        deepStrictEqual(parsed(readMessageIdsOf(bytes)), parseWhole(bytes.toString()));
      }),
      { numRuns: 2_000, seed: 11 },
    );
  });

  it('are malformed when the body ends too soon', () => {
    fc.assert(
      fc.property(message, fc.nat(), (whole, at) => {
        const part = Buffer.from(whole).subarray(0, at % Buffer.byteLength(whole));
        expect(readMessageIdsOf(part)).toEqual({ kind: 'malformed' });
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
    expect(readMessageIds(text)).toEqual({ kind: 'malformed' });
  });

  it('decode invalid UTF-8 as a whole body is decoded', () => {
    const bytes = Buffer.from('{"method":"x","\xff":"\xc3","id":"\xe2\x82"}', 'latin1');
    const expected = { kind: 'request', ids: ['\uFFFD'] };
    expect(parseWhole(bytes.toString())).toEqual(expected);
    expect(parsed(readMessageIdsOf(bytes))).toEqual(expected);
  });
});
