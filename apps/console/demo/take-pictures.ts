import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf } from '../test/support/addresses.ts';
import { type Chromium, createPages, type Page } from '../test/support/pages.ts';
import { startConsoleSite } from '../test/support/site.ts';
import { VIEWS, type View } from '../test/support/views.ts';
import { seedDemo } from './seed.ts';

/** Of WebP, at which small text has no visible noise. */
const QUALITY = 0.85;

const WIDTHS = [1440, 768, 360] as const;
type Width = (typeof WIDTHS)[number];

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** What is shown of a view. */
interface Pictured {
  readonly title: string;
  /** The names of its files. */
  readonly files: Readonly<Record<Width, Readonly<Record<Theme, string>>>>;
}

/** What keys open above a view. */
type Shot = View & { readonly keys?: string };

const COMMAND_MENU: Shot = {
  path: '/console',
  sign: 'Create token',
  title: 'The command menu',
  keys: 'Control+k',
};

/**
 * Writes a picture of each view with a title, in each width and theme, over the data of the demo.
 *
 * @param titles of the views to take; all by default
 */
export async function takePictures(
  chromium: Chromium,
  folder: string,
  titles: readonly string[] = [],
): Promise<readonly Pictured[]> {
  const site = await startConsoleSite();
  const { state } = site;
  const pages = createPages(chromium, site.origin);
  const converter = await chromium.newPage();

  async function take({ path, sign, keys }: Shot, name: string, width: Width, theme: Theme) {
    const page = await pages.take({ width, colorScheme: theme });
    await page.goto(await addressOf(path, state.mocks));
    if (keys !== undefined) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press(keys);
    }
    await page.getByText(sign).first().waitFor();
    await writeFile(join(folder, name), await asWebp(converter, await page.screenshot()));
    await pages.release();
  }

  async function takeAll(shot: Shot, files: Pictured['files']) {
    state.mocks.reset();
    state.token = state.mocks.tokens.owner;
    if (shot.isFirst !== true) await seedDemo(state.mocks);
    for (const width of WIDTHS) {
      for (const theme of THEMES) await take(shot, files[width][theme], width, theme);
    }
  }

  const pictured: Pictured[] = [];
  try {
    for (const shot of [...VIEWS, COMMAND_MENU]) {
      const { title } = shot;
      if (title === undefined) continue;
      const files = filesOf(title);
      if (titles.length === 0 || titles.includes(title)) await takeAll(shot, files);
      pictured.push({ title, files });
    }
  } finally {
    await converter.close();
    await site.close();
  }
  return pictured;
}

function filesOf(title: string): Pictured['files'] {
  const stem = title.toLowerCase().replaceAll(' ', '-');
  const of = (width: Width) => ({
    light: `${stem}-${width}-light.webp`,
    dark: `${stem}-${width}-dark.webp`,
  });
  return { 1440: of(1440), 768: of(768), 360: of(360) };
}

/** Chromium writes no WebP by itself, but its pages do. */
async function asWebp(converter: Page, png: Buffer): Promise<Buffer> {
  const base64 = await converter.evaluate(
    async ([data, quality]) => {
      const blob = await (await fetch(`data:image/png;base64,${data}`)).blob();
      const bitmap = await createImageBitmap(blob);
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      const webp = await canvas.convertToBlob({ type: 'image/webp', quality });
      const bytes = new Uint8Array(await webp.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    },
    [png.toString('base64'), QUALITY] as const,
  );
  return Buffer.from(base64, 'base64');
}
