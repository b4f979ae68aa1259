import { expect, it } from 'vitest';
import { makeSmallExport, textOf, verify, withFlipped } from './make-export.ts';

it('an export is not verified with any bit of it flipped', async () => {
  const { lines, key } = makeSmallExport();
  const bytes = Buffer.from(textOf(lines));
  expect((await verify(bytes, { key })).verdict).toBe('verified');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const { verdict } = await verify(withFlipped(bytes, bit), { key });
    expect(verdict, `bit ${bit}`).toBe('failed');
  }
});
