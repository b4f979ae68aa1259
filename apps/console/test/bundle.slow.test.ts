import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const KILOBYTE = 1_000;

const read = (file: string) => readFileSync(`${DIST}${file}`, 'utf8');
const sizeOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0) / KILOBYTE;

/** The scripts that a script imports at once, and those of these. */
function closureOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, , name] of read(file).matchAll(/(import|from)\s*["']\.\/([\w.-]+\.js)["']/g)) {
    closureOf(`assets/${name}`, found);
  }
  return found;
}

function firstLoad(): Set<string> {
  const found = new Set<string>();
  for (const [, file] of read('index.html').matchAll(/\/console\/(assets\/[\w.-]+\.js)/g)) {
    if (file !== undefined) closureOf(file, found);
  }
  return found;
}

const loadsLater = (by: string, file: string) =>
  [...read(by).matchAll(/\bimport\(\s*["'`]\.\/([\w.-]+\.js)/g)].some(
    ([, name]) => `assets/${name}` === file,
  );

/** What is there when a script is loaded: the first load, and the view that loads it, such as the list behind a dialog. */
function presentBefore(first: Set<string>, loaders: readonly string[]): Set<string> {
  const [view, ...more] = loaders;
  const isOfOneView = view !== undefined && more.length === 0 && !first.has(view);
  return isOfOneView ? new Set([...first, ...closureOf(view)]) : first;
}

describe.skipIf(!existsSync(`${DIST}index.html`))('the built console', () => {
  it('loads at most 95 kB of script more for any view, which is the whole of zod and a form with much in it', () => {
    const first = firstLoad();
    const others = readdirSync(`${DIST}assets`)
      .filter((name) => name.endsWith('.js'))
      .map((name) => `assets/${name}`)
      .filter((file) => !first.has(file));
    expect(others.length).toBeGreaterThan(3);
    const sizes = others.flatMap((file) => {
      const loaders = [...first, ...others].filter((by) => loadsLater(by, file));
      if (loaders.length === 0) return [];
      const present = presentBefore(first, loaders);
      const more = [...closureOf(file)].filter((each) => !present.has(each));
      return [[file, sizeOf(more)] as const];
    });
    expect(sizes.length).toBeGreaterThan(10);
    expect(sizes.filter(([, size]) => size > 95)).toEqual([]);
  });

  it('holds no view for development', () => {
    const view = readFileSync(new URL('../src/views/design/design.tsx', import.meta.url), 'utf8');
    const words = 'Every component in every state. Only development has this view.';
    expect(view).toContain(words);
    const scripts = readdirSync(`${DIST}assets`).filter((name) => name.endsWith('.js'));
    expect(scripts.filter((name) => read(`assets/${name}`).includes(words))).toEqual([]);
  });

  it('holds no mocks, and neither a style nor a script in its page', () => {
    const scripts = readdirSync(`${DIST}assets`).filter((name) => name.endsWith('.js'));
    const holders = scripts.filter((name) =>
      /mockServiceWorker|setupMockGatehouse/.test(read(`assets/${name}`)),
    );
    expect(holders).toEqual([]);
    expect(read('index.html')).not.toMatch(/<style|style=|<script[^>]*>[^<]/);
  });
});
