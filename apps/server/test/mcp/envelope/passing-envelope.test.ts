import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PassingEnvelope } from '../../../src/mcp/envelope/passing-envelope.ts';
import { readEnvelope } from '../../../src/mcp/envelope/read-envelope.ts';
import { message } from '../support/json-arbitrary.ts';
import { hostileBodies, oddBodies } from './hostile-bodies.ts';

/** The envelope of a body that comes in pieces of these lengths, over and over. */
function passed(body: Buffer, lengths: readonly number[]) {
  const passing = new PassingEnvelope();
  let start = 0;
  for (let turn = 0; start < body.length; turn += 1) {
    const end = start + (lengths[turn % lengths.length] ?? body.length);
    passing.feed(Buffer.from(body.subarray(start, end)));
    start = end;
  }
  return passing.envelope;
}

describe('a body that passes in pieces is read as one that is whole', () => {
  const bodies = [...hostileBodies, ...oddBodies].map(({ title, body }) => [title, body] as const);

  it.each(bodies)('with %s', (_, body) => {
    const whole = readEnvelope(body);
    for (const length of [1, 7, 60_000]) {
      const envelope = passed(body, [length]);
      if (whole.kind !== 'unreadable') expect(envelope).toEqual(whole);
      else expect(envelope).toMatchObject({ kind: 'unreadable', mayCall: whole.mayCall });
    }
  });

  it('wherever it is cut', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(message, lengths, (text, pieces) => {
        const body = Buffer.from(text);
        expect(passed(body, pieces)).toEqual(readEnvelope(body));
      }),
      { numRuns: 1_000 },
    );
  });

  it('wherever characters are cut, also those that are not UTF-8', () => {
    const odd = [
      [0xc3],
      [0x80],
      [0xe2, 0x82],
      [0xf0, 0x9f],
      [0xff],
      [0xed, 0xa0, 0x80],
      [0xc0, 0x80],
    ];
    const part = fc.oneof(fc.constantFrom('é', '€', '𝄞', 'a'), fc.constantFrom(...odd));
    const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), lengths, (parts, pieces) => {
        const text = parts.map((bytes) => Buffer.from(bytes));
        const body = Buffer.concat([
          Buffer.from('{"method":"ping","x":"'),
          ...text,
          Buffer.from('"}'),
        ]);
        expect(passed(body, pieces)).toEqual(readEnvelope(body));
      }),
      { numRuns: 500, seed: 81 },
    );
  });

  it('with long arguments before the name, of which nothing is kept', () => {
    const filler = `"${'x'.repeat(50_000)}"`;
    const body = `{"method":"tools/call","params":{"arguments":{"a":${filler}},"note":${filler},"name":"echo"},"id":1}`;
    expect(passed(Buffer.from(body), [999])).toEqual(readEnvelope(Buffer.from(body)));
  });
});

it('a passing body is unreadable before its end, and with a key that is too long to be kept', () => {
  const passing = new PassingEnvelope();
  passing.feed(Buffer.from('{"method":"ping"'));
  expect(passing.envelope.kind).toBe('unreadable');
  const long = `{"params":{"${'k'.repeat(20_000)}":1},"method":"ping"}`;
  expect(passed(Buffer.from(long), [1_000]).kind).toBe('unreadable');
});
