import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessageIds as readMessageIdsOf } from '../../src/mcp/message-ids.ts';

const readMessageIds = (text: string) => readMessageIdsOf(Buffer.from(text));

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
