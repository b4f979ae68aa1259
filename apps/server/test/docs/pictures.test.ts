import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pages, root } from './pages.ts';

/** What a phone with 390 px shows of a code block before it has to be moved sideways. */
const COLUMNS_OF_A_PHONE = 40;
const WIDTH_OF_A_PHONE = 390;
const SMALLEST_TEXT = 12;

const folder = new URL('docs/pictures/', root);
const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name, parentPath }) => relative(fileURLToPath(folder), join(parentPath, name)));
const drawings = names.filter((name) => name.endsWith('.svg'));

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

it('no page has a drawing in characters that a phone cuts off', () => {
  const cut = pages().flatMap((page) =>
    read(page)
      .split('\n')
      .filter((line) => /[─│┌└►▲]/.test(line) && line.length > COLUMNS_OF_A_PHONE)
      .map((line) => `${page}: ${line}`),
  );
  expect(cut).toEqual([]);
});

it('every picture is on a page, and every picture on a page has a text in its place', () => {
  const shown = pages().flatMap((page) =>
    [...read(page).matchAll(/!\[([^\]]*)\]\([^)\s]*pictures\/([\w./-]+)\)/g)].map(
      ([, text = '', name = '']) => ({ page, text, name }),
    ),
  );
  expect([...new Set(shown.map(({ name }) => name))].sort()).toEqual([...names].sort());
  expect(shown.filter(({ text }) => text.length < 20)).toEqual([]);
});

it.each(drawings)('%s has a title, a description and a dark look, and loads nothing', (name) => {
  const svg = read(`docs/pictures/${name}`);
  expect(svg).toMatch(/role="img" aria-labelledby="title desc"/);
  expect(svg).toMatch(/<title id="title">[^<]+<\/title>\s*<desc id="desc">[^<]+<\/desc>/);
  expect(svg).toContain('@media (prefers-color-scheme: dark)');
  expect(svg).not.toMatch(/<script|<image|<use|href=|@import|url\(/);
});

it.each(drawings)('%s can be read on a phone', (name) => {
  const svg = read(`docs/pictures/${name}`);
  const [, width] = /viewBox="0 0 (\d+) \d+"/.exec(svg) ?? [];
  const sizes = [...svg.matchAll(/font-size: (\d+)px/g)].map(([, size]) => Number(size));
  expect(Number(width)).toBeLessThanOrEqual(WIDTH_OF_A_PHONE);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(SMALLEST_TEXT);
});
