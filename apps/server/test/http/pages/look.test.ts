import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MARK } from '../../../src/http/pages/send-page.ts';
import { style, tokens } from '../../../src/http/pages/style.ts';

const console = new URL('../../../../console/src/', import.meta.url);

const read = (path: string) => readFileSync(new URL(path, console), 'utf8');

/** The custom properties of a style sheet, with their values. */
function propertiesOf(css: string): Map<string, string> {
  const found = css.matchAll(/^ *(--[\w-]+):([^;]+);/gm);
  return new Map(
    [...found].map(([, name = '', value = '']) => [name, value.replace(/\s+/g, ' ').trim()]),
  );
}

/** The sizes that the console has, such as `--text-13`. */
function sizesOf(name: 'text' | 'radius'): string[] {
  const found = read('styles/console.css').matchAll(new RegExp(`--${name}-\\w+: (\\d+px);`, 'g'));
  return [...found].map(([, size = '']) => size);
}

const rules = style.slice(style.indexOf(tokens) + tokens.length);

describe('the look of the pages', () => {
  it("takes each of its values from the console's tokens", () => {
    const [ours, theirs] = [propertiesOf(tokens), propertiesOf(read('styles/tokens.css'))];
    expect(ours.size).toBeGreaterThan(10);
    for (const [name, value] of ours) expect([name, theirs.get(name)]).toEqual([name, value]);
  });

  it('has no other colour, and no token that nothing uses', () => {
    expect(rules.match(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/gi)).toBeNull();
    const used = [...rules.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual([...propertiesOf(tokens).keys()].sort());
  });

  it('has the sizes of text and the corners that the console has', () => {
    const sizes = [...rules.matchAll(/font(?:-size)?: (\d+px)/g)].map(([, size]) => size);
    expect(sizes.filter((size = '') => !sizesOf('text').includes(size))).toEqual([]);
    const corners = [...rules.matchAll(/border-radius: (\d+px)/g)].map(([, size]) => size);
    expect(corners.filter((size = '') => !sizesOf('radius').includes(size))).toEqual([]);
  });

  it('keeps to a grid of 4 px, borders and outlines aside', () => {
    const spacing = [...rules.matchAll(/(?:margin|padding|gap)[\w-]*: ([^;]+);/g)];
    const steps = spacing.flatMap(([, value = '']) => value.match(/\d+(?=px)/g) ?? []);
    expect(steps.filter((step) => Number(step) % 4 !== 0)).toEqual([]);
  });

  it('has the mark of the console', () => {
    expect(MARK).toBe(read('shell/mark.svg'));
  });
});
