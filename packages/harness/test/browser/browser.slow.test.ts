import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findChromium, isBrowserMissing } from '../../src/browser/find-chromium.ts';
import { launchBrowser } from '../../src/browser/launch-browser.ts';
import { startStaticSite } from '../../src/browser/static-site.ts';

describe('finding Chromium', () => {
  let folder = '';
  let binary = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-chromium-'));
    binary = join(folder, 'chromium');
    writeFileSync(binary, '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(folder, 'plain'), '', { mode: 0o644 });
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('looks at CHROMIUM_PATH first, and at nothing else when it is set', () => {
    expect(findChromium({ CHROMIUM_PATH: binary, PATH: '/usr/bin' })).toBe(binary);
    const plain = join(folder, 'plain');
    expect(findChromium({ CHROMIUM_PATH: plain, PATH: folder })).toBeUndefined();
  });

  it('looks through PATH', () => {
    expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(binary);
  });

  it('says in one line that there is no browser', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      expect(isBrowserMissing({ CHROMIUM_PATH: '/nowhere' })).toBe(true);
      expect(write.mock.calls).toEqual([['No Chromium here: nothing was tested in a browser.\n']]);
      expect(isBrowserMissing({ CHROMIUM_PATH: binary, CI: 'true' })).toBe(false);
    } finally {
      write.mockRestore();
    }
  });

  it('fails in a CI run without a browser', () => {
    const env = { CHROMIUM_PATH: '/nowhere', CI: 'true' };
    expect(() => isBrowserMissing(env)).toThrow('CI=true needs one');
  });
});

it.skipIf(isBrowserMissing())(
  'shows pages of a site in the browser that is installed',
  async () => {
    const site = await startStaticSite({ '/main.js': 'export const answer = 6 * 7;' });
    const browser = await launchBrowser();
    try {
      const page = await browser?.newPage();
      await page?.goto(site.origin);
      expect(await page?.title()).toBe('A page');
      expect(await page?.evaluate("import('/main.js').then(({ answer }) => answer)")).toBe(42);
      expect((await fetch(`${site.origin}/unknown`)).status).toBe(404);
    } finally {
      await browser?.close();
      await site.close();
    }
  },
);
