import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf } from '../test/support/addresses.ts';
import { type Chromium, createPages, type Page } from '../test/support/pages.ts';
import { startConsoleSite } from '../test/support/site.ts';
import { VIEWS, type View } from '../test/support/views.ts';
import { seedDemo } from './seed.ts';

/** Of WebP, at which small text has no visible noise. */
const QUALITY = 0.85;

type Width = 1440 | 768 | 360;

/** What is shown of a view. */
interface Pictured {
  readonly title: string;
  /** The names of its files. */
  readonly files: Readonly<Record<Width, { readonly light: string; readonly dark: string }>>;
}

/** Writes a picture of each view with a title, in each width and theme, over the data of the demo. */
export async function takePictures(
  chromium: Chromium,
  folder: string,
): Promise<readonly Pictured[]> {
  const site = await startConsoleSite();
  await seedDemo(site.state.mocks);
  const pages = createPages(chromium, site.origin);
  const converter = await chromium.newPage();

  async function take({ path, sign, title }: View, width: Width, colorScheme: 'light' | 'dark') {
    const page = await pages.take({ width, colorScheme });
    await page.goto(await addressOf(path, site.state.mocks));
    await page.getByText(sign).first().waitFor();
    const name = `${title?.toLowerCase().replaceAll(' ', '-')}-${width}-${colorScheme}.webp`;
    await writeFile(join(folder, name), await asWebp(converter, await page.screenshot()));
    await pages.release();
    return name;
  }

  async function inBothThemes(view: View, width: Width) {
    return { light: await take(view, width, 'light'), dark: await take(view, width, 'dark') };
  }

  const pictured: Pictured[] = [];
  try {
    for (const view of VIEWS) {
      if (view.title === undefined) continue;
      const files = {
        1440: await inBothThemes(view, 1440),
        768: await inBothThemes(view, 768),
        360: await inBothThemes(view, 360),
      };
      pictured.push({ title: view.title, files });
    }
  } finally {
    await converter.close();
    await site.close();
  }
  return pictured;
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
