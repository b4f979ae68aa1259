import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from './support/generated-file.ts';

const rows = readFileSync(join(packageRoot, 'docs/feature-table.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split(' | '));

/** Where a test or folder named in the table may be. */
const places = ['test', '.', '../..'];

describe('the feature table', () => {
  it('has a row for each of the 44 features', () => {
    expect(rows.map(([number = '']) => Number(number.replace('| ', '')))).toEqual(
      Array.from({ length: 44 }, (_, index) => index + 1),
    );
  });

  it.each(rows)('%s %s: %s is shown by tests that exist', (_, feature, verdict, proof = '') => {
    expect(feature).not.toBe('');
    if (verdict !== 'yes') return;
    const named = [...proof.matchAll(/`([^`]+)`(?: "([^"]+)")?/g)];
    expect(named.length).toBeGreaterThan(0);
    for (const [, path = '', title] of named) {
      const file = places.map((place) => join(packageRoot, place, path)).find(existsSync);
      expect(file, path).toBeDefined();
      if (title) expect(readFileSync(file ?? '', 'utf8')).toContain(title);
    }
  });
});
