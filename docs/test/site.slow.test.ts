import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isBrowserMissing,
  launchBrowser,
  type StaticSite,
  startStaticSite,
} from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const docs = fileURLToPath(new URL('../', import.meta.url));
const vitepress = join(
  dirname(createRequire(import.meta.url).resolve('vitepress/package.json')),
  'bin/vitepress.js',
);
const site = mkdtempSync(join(tmpdir(), 'gatehouse-site-'));
/** Text by path, such as `/docs/run/keys`. */
const pages = new Map<string, string>();

beforeAll(async () => {
  const child = spawn(process.execPath, [vitepress, 'build', docs, '--outDir', site], {
    // A build takes half a minute, and minutes on a machine that does much else too.
    signal: AbortSignal.timeout(590_000),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const [code] = await once(child, 'close');
  expect(code, Buffer.concat(output).toString()).toBe(0);
  for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.html')) pages.set(pathOf(name), readFileSync(join(site, name), 'utf8'));
  }
}, 600_000);

afterAll(() => rmSync(site, { recursive: true, force: true }));

/** Where the server shows a file of the site. */
function pathOf(name: string): string {
  return `/docs/${name}`.replace(/(\/)index\.html$|\.html$/, '$1');
}

/** The values of an attribute, wherever it is. */
function valuesOf(html: string, attribute: string): string[] {
  const pattern = new RegExp(`\\s${attribute}="([^"]*)"`, 'g');
  return [...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&'));
}

function brokenLinksOf([page, html]: [string, string]): string[] {
  return valuesOf(html.replaceAll(/<link [^>]*>/g, ''), 'href').flatMap((href) => {
    if (/^[a-z]+:/.test(href)) return [];
    const { pathname, hash } = new URL(href, `http://site${page}`);
    const anchor = decodeURIComponent(hash).slice(1);
    const found = pages.get(decodeURIComponent(pathname));
    if (found === undefined) return [`${page} leads to ${href}`];
    const isThere = anchor === '' || valuesOf(found, 'id').includes(anchor);
    return isThere ? [] : [`${page} leads to ${href}, which has no such place`];
  });
}

it('has a page for each part and each resource of the API', () => {
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([
      ...['start', 'clients', 'code', 'run', 'code/reference'].map((part) => `/docs/${part}/`),
      ...['integrations', 'tokens', 'schemas'].map((name) => `/docs/code/reference/${name}`),
    ]),
  );
});

it('every link leads to a page, and every anchor to a place on it', () => {
  expect([...pages].filter(([page]) => page !== '/docs/404').flatMap(brokenLinksOf)).toEqual([]);
});

it('loads nothing from elsewhere, so that it works offline', () => {
  const loaded = [...pages].flatMap(([page, html]) => {
    const elements = html.match(/<(link|script|img|iframe)\b[^>]*>/g) ?? [];
    return elements
      .flatMap((element) => [...valuesOf(element, 'href'), ...valuesOf(element, 'src')])
      .filter((url) => /^(https?:)?\/\//.test(url))
      .map((url) => `${page} loads ${url}`);
  });
  expect(loaded).toEqual([]);
});

it('has its scripts and styles in files, as the policy of the server asks', () => {
  const inline = [...pages].flatMap(([page, html]) =>
    (html.match(/<script(?![^>]* src=)[^>]*>|<style\b|\sstyle="[^"]*"|\son\w+="/g) ?? []).map(
      (found) => `${page} has ${found}`,
    ),
  );
  expect(inline).toEqual([]);
});

/** What the server sends with every page (`apps/server/src/console/documentation.ts`). */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

describe.skipIf(isBrowserMissing())('the site, in a browser without another server', () => {
  let served: StaticSite;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;

  beforeAll(async () => {
    const names = readdirSync(site, { recursive: true, encoding: 'utf8' });
    const texts = names.filter((name) => /\.(html|js|css|json)$/.test(name));
    const files = texts.map((name) => [pathOf(name), readFileSync(join(site, name), 'utf8')]);
    served = await startStaticSite(Object.fromEntries(files), {
      'content-security-policy': POLICY,
    });
    browser = await launchBrowser();
  });

  afterAll(() => Promise.all([browser?.close(), served?.close()]));

  /** The paths of the first results, the best one first. */
  async function resultsOf(query: string): Promise<string[]> {
    const page = await browser?.newPage({ baseURL: served.origin });
    if (page === undefined) throw new Error('The browser has not started.');
    await page.goto('/docs/');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill(query);
    const results = page.locator('a.result');
    await results.first().waitFor();
    const hrefs = await results.evaluateAll((links) =>
      links.map((link) => link.getAttribute('href')),
    );
    await page.close();
    return hrefs.map((href) => href?.replace(/#.*/, '') ?? '');
  }

  it('violates no policy, whatever a reader looks at', async () => {
    const page = await browser?.newPage({ baseURL: served.origin });
    if (page === undefined) throw new Error('The browser has not started.');
    const said: string[] = [];
    page.on('console', (message) => {
      // Fonts and pictures are not among the files that are served here.
      if (message.type() === 'error' && !message.text().includes('404')) said.push(message.text());
    });
    page.on('pageerror', (error) => said.push(String(error)));
    await page.goto('/docs/');
    await page.getByRole('switch').first().click();
    for (const path of [
      '/docs/run/configuration',
      '/docs/code/sdk',
      '/docs/code/reference/tokens',
    ]) {
      await page.goto(path);
      await page.locator('.vp-doc h1').waitFor();
    }
    await page.locator('.VPSidebar a[href="/docs/code/http"]').first().click();
    await page.waitForURL('**/docs/code/http');
    await page.locator('.vp-code').first().waitFor();
    expect(said).toEqual([]);
    await page.close();
  });

  it.each([
    ['rotate key', '/docs/run/keys'],
    ['GATEHOUSE_PORT', '/docs/run/configuration'],
    ['audit', '/docs/run/audit'],
    ['sizing', '/docs/run/sizing'],
    ['upstream_unreachable', '/docs/code/problems'],
    ['GATEHOUSE_ENCR', '/docs/run/configuration'],
    ['oauth_not_configured', '/docs/code/problems'],
    ['gatehouse_sessions_live', '/docs/run/metrics'],
    ['oauth', '/docs/code/credentials'],
    ['policy', '/docs/run/policy'],
    ['alias', '/docs/clients/one-url'],
    ['refresh', '/docs/code/write-an-application'],
    ['kill', '/docs/run/recovery'],
    ['backup', '/docs/run/backup'],
    ['GitHub', '/docs/run/providers'],
  ])('finds %s first on %s', async (query, path) => {
    expect((await resultsOf(query))[0]).toBe(path);
  });

  it.each(['session', 'grant', 'oauth', 'token', 'policy', 'refresh', 'kill', 'backup', 'usage'])(
    'shows three pages to read before pages to look something up in, and before those for maintainers: %s',
    async (query) => {
      const isToRead = (await resultsOf(query)).map(
        (path) =>
          /^\/docs\/(start|clients|code|run)\//.test(path) &&
          !/\/(problems|reference\/.*|alerts|command|logs|metrics|views)$/.test(path),
      );
      expect(isToRead.slice(0, 3)).toEqual(Array(3).fill(true));
    },
  );

  it('the home page shows the console', async () => {
    const page = await browser?.newPage({ baseURL: served.origin });
    await page?.goto('/docs/');
    const picture = page?.getByRole('img', { name: /^Home of the console/ });
    expect(await picture?.getAttribute('src')).toMatch(
      /^\/docs\/assets\/home-1440-light\..+\.webp$/,
    );
    await page?.close();
  });
});
