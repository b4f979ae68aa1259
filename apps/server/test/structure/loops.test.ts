import { describe, expect, it } from 'vitest';
import { findLoops } from './loops.ts';

describe('loops among imports', () => {
  it('are found between folders even if their files do not import each other', () => {
    const loops = findLoops([
      ['a/one.ts', 'b/one.ts'],
      ['b/two.ts', 'a/two.ts'],
    ]);
    expect(loops).toEqual([['a', 'b']]);
  });

  it('are found deep in the tree, and over several folders', () => {
    const loops = findLoops([
      ['top/a/one.ts', 'top/b/one.ts'],
      ['top/b/one.ts', 'top/c/one.ts'],
      ['top/c/deep/one.ts', 'top/a/one.ts'],
    ]);
    expect(loops).toEqual([['top/a', 'top/b', 'top/c']]);
  });

  it('are found between a file and the folder beside it', () => {
    const loops = findLoops([
      ['a/main.ts', 'a/parts/one.ts'],
      ['a/parts/two.ts', 'a/main.ts'],
    ]);
    expect(loops).toEqual([['a/main.ts', 'a/parts']]);
  });

  it('are not made by a folder that stands between two files', () => {
    const loops = findLoops([
      ['a/main.ts', 'a/parts/one.ts'],
      ['a/parts/one.ts', 'a/types.ts'],
    ]);
    expect(loops).toEqual([]);
  });
});
