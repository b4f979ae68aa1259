import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PlainText, skipLong } from '../../../src/mcp/json/plain-text.ts';

const isPlain = (byte: number) => byte >= 0x20 && byte !== 0x22 && byte !== 0x5c;

/** What a look at each byte finds. */
function naive(bytes: Uint8Array, start: number): number {
  const found = bytes.subarray(start).findIndex((byte) => !isPlain(byte));
  return found === -1 ? bytes.length : start + found;
}

it.each([7, 1023, 1024, 1030, 3000])(
  'plain text in %i bytes ends where any other byte is',
  (length) => {
    const memory = Buffer.alloc(length + 4);
    for (let lead = 0; lead < 4; lead += 1) {
      const chunk = memory.subarray(lead, lead + length);
      for (let byte = 0; byte < 256; byte += 1) {
        const at = length - 1 - (byte % 6);
        chunk.fill('a')[at] = byte;
        const text = new PlainText(chunk);
        const expected = isPlain(byte) ? length : at;
        expect([byte, text.skip(byte % 5 === 0 ? 0 : 1)]).toEqual([byte, Math.max(expected, 0)]);
      }
    }
  },
);

it('plain text among other bytes ends where a look at each byte says', () => {
  const bytes = fc.uint8Array({ minLength: 1024, maxLength: 1100 });
  fc.assert(
    fc.property(bytes, fc.nat(3), (random, lead) => {
      const chunk = Buffer.concat([Buffer.alloc(lead), random]).subarray(lead);
      const text = new PlainText(chunk);
      for (let start = 0; start < chunk.length; start += 1) {
        if (text.skip(start) !== naive(chunk, start)) throw new Error(`from ${start}`);
      }
    }),
    { numRuns: 50, seed: 61 },
  );
});

it('plain text that began in an earlier chunk ends where a look at each byte says', () => {
  const others = fc.array(
    fc.tuple(fc.nat(9_999), fc.constantFrom(0, 0x1f, 0x20, 0x22, 0x5c, 0x7f, 0x80, 0xff)),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(others, fc.nat(3), (spots, lead) => {
      const chunk = Buffer.alloc(10_000 + lead, 'a').subarray(lead);
      for (const [at, byte] of spots) chunk[at] = byte;
      const text = new PlainText(chunk);
      const end = naive(chunk, 0);
      const skipped = skipLong(chunk);
      expect(skipped).toBeLessThanOrEqual(end);
      expect(skipped).toBeGreaterThan(end - 20);
      expect(text.skip(skipped)).toBe(end);
    }),
    { numRuns: 500, seed: 62 },
  );
});
