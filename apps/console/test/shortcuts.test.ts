import { describe, expect, it } from 'vitest';
import { cut, narrowed } from '../src/views/command/narrow.ts';
import { createKeyReader } from '../src/views/command/shortcuts.ts';

const shortcut = (...keys: readonly string[]) => ({ keys, run: () => undefined });
const SHORTCUTS = [shortcut('g', 'h'), shortcut('g', 'g'), shortcut('?')];

/** What a row of keys means, each with the time since the one before. */
function meanings(...typed: readonly (readonly [key: string, after: number])[]): string[] {
  const read = createKeyReader();
  let now = 0;
  return typed.map(([key, after]) => {
    now += after;
    return read(key, now, SHORTCUTS)?.keys.join(' ') ?? '';
  });
}

describe('keys', () => {
  it('mean something together, one soon after the other', () => {
    expect(meanings(['g', 0], ['h', 900])).toEqual(['', 'g h']);
    expect(meanings(['g', 0], ['g', 100])).toEqual(['', 'g g']);
    expect(meanings(['g', 0], ['h', 1_100])).toEqual(['', '']);
  });

  it('mean something alone, whatever came before', () => {
    expect(meanings(['g', 0], ['?', 100])).toEqual(['', '?']);
    expect(meanings(['x', 0], ['g', 100], ['h', 100])).toEqual(['', '', 'g h']);
  });

  it('are used up by what they meant', () => {
    expect(meanings(['g', 0], ['g', 100], ['h', 100])).toEqual(['', 'g g', '']);
  });
});

describe('commands', () => {
  const group = (...labels: readonly string[]) => ({
    label: 'Applications',
    items: labels.map((label) => ({
      id: label,
      label,
      icon: 'application' as const,
      run: () => undefined,
    })),
  });
  const labelsOf = ({ items }: { items: readonly { label: string }[] }) =>
    items.map(({ label }) => label);

  it('have all the words, and those that begin with them come first', () => {
    const some = group('The old cursor', 'Claude', 'Cursor of Ana', 'CURSOR');
    expect(labelsOf(narrowed(some, ' cursor'))).toEqual([
      'Cursor of Ana',
      'CURSOR',
      'The old cursor',
    ]);
    expect(labelsOf(narrowed(some, 'ana cur'))).toEqual(['Cursor of Ana']);
    expect(labelsOf(narrowed(some, ''))).toEqual(labelsOf(some));
  });

  it('are cut where there are too many to look through, and the label says so', () => {
    const many = group(...Array.from({ length: 9 }, (_, place) => `Application ${place}`));
    expect(cut(many).label).toBe('Applications, the first 8');
    expect(cut(many).items.length).toBe(8);
    expect(cut(group('Cursor')).label).toBe('Applications');
  });
});
