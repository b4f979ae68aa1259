import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBrowserMissing } from '@gatehouse/harness';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriersOf, type Page, useConsole } from './support/console.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const COMPONENTS = join(root, 'src/components');
const SIZES = [
  ['light', 1440],
  ['dark', 768],
] as const;

/** The components that the files of `src/components` export. */
function exportedComponents(): string[] {
  const files = readdirSync(COMPONENTS).filter((name) => name.endsWith('.tsx'));
  return files.flatMap((name) => {
    const source = readFileSync(join(COMPONENTS, name), 'utf8');
    return [...source.matchAll(/^export (?:function|const) ([A-Z]\w*)/gm)].map(
      ([, component]) => component ?? '',
    );
  });
}

/** What the files of the view use as elements, beside what the frame of the console does. */
function usedComponents(): Set<string> {
  const files = [
    ...readdirSync(join(root, 'src/views/design')).map((name) => `views/design/${name}`),
    'shell/announced.tsx',
  ];
  const sources = files.map((file) => readFileSync(join(root, 'src', file), 'utf8')).join('\n');
  return new Set([...sources.matchAll(/<([A-Z]\w*)/g)].map(([, component]) => component ?? ''));
}

describe.skipIf(isBrowserMissing())('the design view', () => {
  const dist = mkdtempSync(join(tmpdir(), 'gatehouse-design-'));
  beforeAll(async () => {
    await build({ root, mode: 'development', logLevel: 'error', build: { outDir: dist } });
  });
  afterAll(() => rm(dist, { recursive: true, force: true }));
  const console = useConsole({ dist });

  const open = async (colorScheme: 'light' | 'dark', width: number) => {
    const page = await console.open('/console/design', { colorScheme, width });
    await page.getByRole('heading', { name: 'Design', level: 1 }).waitFor();
    return page;
  };

  it('has every component', async () => {
    const page = await open('light', 1440);
    const shown = await page
      .locator('[data-component]')
      .evaluateAll((names) => names.map((name) => name.textContent ?? ''));
    const components = exportedComponents();
    expect(components.length).toBeGreaterThan(30);
    expect(shown.toSorted()).toEqual(components.toSorted());
    const used = usedComponents();
    expect(components.filter((name) => !used.has(name))).toEqual([]);
  });

  it('has no barriers and fits its pictures in both themes', async () => {
    const pictures = new Set<string>();
    for (const [colorScheme, width] of SIZES) {
      const page = await open(colorScheme, width);
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      const picture = await page.screenshot({ fullPage: true });
      pictures.add(picture.toString('base64'));
    }
    expect(pictures.size).toBe(SIZES.length);
  });

  it.each([
    ['a dialog', 'Open the dialog', 'Keep it'],
    ['commands', 'Open the commands', 'g'],
    ['what was done', 'Say it, with undo', 'Undo'],
  ])('opens %s without barriers', async (_name, button, sign) => {
    for (const [colorScheme, width] of SIZES) {
      const page = await open(colorScheme, width);
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByText(sign, { exact: true }).last().waitFor();
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    }
  });
});

const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
