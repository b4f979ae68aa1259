import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isBrowserMissing,
  launchBrowser,
  launchGatehouse,
  type StaticSite,
  startStaticSite,
} from '@gatehouse/harness';
import { build } from 'esbuild';
import { build as buildWithVite } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Packed } from './packed.ts';
import { expectAllPassed, startSuiteServer } from './suite.ts';

type Browser = Exclude<Awaited<ReturnType<typeof launchBrowser>>, undefined>;

/** The package in pages of Chromium, with another origin than the API. */
export function browser(packed: () => Packed): void {
  describe.skipIf(isBrowserMissing())('in a browser', () => {
    let chromium: Browser | undefined;
    const sites: StaticSite[] = [];

    beforeAll(async () => {
      chromium = await launchBrowser();
    });

    afterAll(async () => {
      await chromium?.close();
      await Promise.all(sites.map((site) => site.close()));
    });

    async function publish(files: Record<string, string>): Promise<string> {
      const site = await startStaticSite(files);
      sites.push(site);
      return site.origin;
    }

    async function open(origin: string) {
      if (!chromium) throw new Error('The browser has not started.');
      const page = await chromium.newPage();
      await page.goto(origin);
      return page;
    }

    it('passes the suite of the other platforms', async () => {
      const origin = await publish({ '/suite.js': await bundleSuite(packed().folder) });
      const server = await startSuiteServer(origin);
      const page = await open(origin);
      const call = `import('/suite.js').then(({ runSuite }) => runSuite('${server.origin}'))`;
      expectAllPassed(await page.evaluate<Record<string, string>>(call));
    });

    it('is part of an application that uses the service, from an origin that may', async () => {
      const application = await bundleApplication(join(packed().folder, 'browser'));
      const [origin, other] = [await publish(application), await publish(application)];
      const service = await launchGatehouse({ env: { GATEHOUSE_ALLOWED_ORIGINS: origin } });
      try {
        const register = async (from: string) => {
          const page = await open(from);
          await page.fill('[name=baseUrl]', service.origin);
          await page.fill('[name=accessToken]', service.bootstrapToken);
          await page.click('button');
          await page.waitForSelector('output:not(:empty)');
          return {
            names: await page.locator('li').allTextContents(),
            said: await page.textContent('output'),
          };
        };
        expect(await register(origin)).toEqual({
          names: ['Wiki', 'Tracker'],
          said: 'precondition_failed true, not_found true',
        });
        expect(await register(other)).toEqual({ names: [], said: 'connection_failed' });
      } finally {
        await service.dispose();
      }
    });
  });
}

async function bundleSuite(folder: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'runtimes/browser.js')],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** The files that Vite makes of a page, by path. */
async function bundleApplication(root: string): Promise<Record<string, string>> {
  await buildWithVite({ root, configFile: false, logLevel: 'silent' });
  const dist = join(root, 'dist');
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.\w+$/.test(name));
  const contents = files.map((name) => [`/${name}`, readFileSync(join(dist, name), 'utf8')]);
  return { ...Object.fromEntries(contents), '/': readFileSync(join(dist, 'index.html'), 'utf8') };
}
