import { expect, it, vi } from 'vitest';
import { isRuntimeMissing } from '../src/is-runtime-missing.ts';

it('is false where the binary is there, in a CI run too', () => {
  expect(isRuntimeMissing('Node', process.execPath, {})).toBe(false);
  expect(isRuntimeMissing('Node', process.execPath, { CI: 'true' })).toBe(false);
});

it.each([undefined, '/nowhere/deno'])('says in one line that it is missing: %s', (binary) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(isRuntimeMissing('Deno', binary, {})).toBe(true);
    expect(write.mock.calls).toEqual([['No Deno here: nothing was tested on it.\n']]);
  } finally {
    write.mockRestore();
  }
});

it.each([undefined, '/nowhere/deno'])('fails in a CI run without it: %s', (binary) => {
  const ask = () => isRuntimeMissing('Deno', binary, { CI: 'true' });
  expect(ask).toThrow('No Deno here, and CI=true needs one.');
});
