import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isBrowserMissing, launchBrowser, startStaticSite } from '@gatehouse/testing';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it.skipIf(isBrowserMissing())('answers the SDK in a page, from a service worker', async () => {
  const site = await startStaticSite({
    '/page.js': await bundle('page.ts'),
    '/mockServiceWorker.js': readFileSync(require.resolve('msw/mockServiceWorker.js'), 'utf8'),
    '/robots.txt': 'of the site',
  });
  const browser = await launchBrowser();
  try {
    const page = await browser?.newPage();
    await page?.goto(site.origin);
    expect(await page?.evaluate("import('/page.js').then(({ useMocks }) => useMocks())")).toEqual({
      attached: ['Issue tracker'],
      listed: ['Issue tracker'],
      refusal: 'forbidden',
      left: 0,
      passed: 'of the site',
    });
  } finally {
    await browser?.close();
    await site.close();
  }
});

const require = createRequire(import.meta.url);

/** A module of this folder with all it imports, as a page loads it. */
async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@gatehouse/source'],
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
