import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
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
/** Text by path, such as `/run/index.html`. */
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
    if (name.endsWith('.html')) pages.set(`/${name}`, readFileSync(join(site, name), 'utf8'));
  }
}, 600_000);

afterAll(() => rmSync(site, { recursive: true, force: true }));

/** The values of an attribute, wherever it is. */
function valuesOf(html: string, attribute: string): string[] {
  const pattern = new RegExp(`\\s${attribute}="([^"]*)"`, 'g');
  return [...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&'));
}

function brokenLinksOf([page, html]: [string, string]): string[] {
  return valuesOf(html.replaceAll(/<link [^>]*>/g, ''), 'href').flatMap((href) => {
    if (/^[a-z]+:/.test(href)) return [];
    const [path = '', anchor = ''] = decodeURIComponent(href).split('#');
    const target = path === '' ? page : posix.resolve(posix.dirname(page), path);
    const found = pages.get(path.endsWith('/') ? posix.join(target, 'index.html') : target);
    if (found === undefined) return [`${page} leads to ${href}`];
    const isThere = anchor === '' || valuesOf(found, 'id').includes(anchor);
    return isThere ? [] : [`${page} leads to ${href}, which has no such place`];
  });
}

it('has a page for each part and each resource of the API', () => {
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([
      ...['start', 'clients', 'code', 'run', 'code/reference'].map((part) => `/${part}/index.html`),
      ...['integrations', 'tokens', 'schemas'].map((name) => `/code/reference/${name}.html`),
    ]),
  );
});

it('every link leads to a page, and every anchor to a place on it', () => {
  expect([...pages].filter(([page]) => page !== '/404.html').flatMap(brokenLinksOf)).toEqual([]);
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

describe.skipIf(isBrowserMissing())('the search, in a browser without another server', () => {
  let served: StaticSite;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;

  beforeAll(async () => {
    const names = readdirSync(site, { recursive: true, encoding: 'utf8' });
    const texts = names.filter((name) => /\.(html|js|css|json)$/.test(name));
    const files = texts.map((name) => [`/${name}`, readFileSync(join(site, name), 'utf8')]);
    served = await startStaticSite(Object.fromEntries(files));
    browser = await launchBrowser();
  });

  afterAll(() => Promise.all([browser?.close(), served?.close()]));

  /** The paths of the first results, the best one first. */
  async function resultsOf(query: string): Promise<string[]> {
    const page = await browser?.newPage({ baseURL: served.origin });
    if (page === undefined) throw new Error('The browser has not started.');
    await page.goto('/index.html');
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

  it.each([
    ['rotate key', '/run/keys.html'],
    ['GATEHOUSE_PORT', '/run/configuration.html'],
    ['audit', '/run/logs.html'],
    ['sizing', '/run/sizing.html'],
    ['upstream_unreachable', '/code/problems.html'],
    ['GATEHOUSE_ENCR', '/run/configuration.html'],
  ])('finds %s first on %s', async (query, path) => {
    expect((await resultsOf(query))[0]).toBe(path);
  });

  it.each(['session', 'grant', 'oauth'])(
    'shows pages for users before others: %s',
    async (query) => {
      const isForUsers = (await resultsOf(query)).map((path) =>
        /^\/(start|clients|code|run)\//.test(path),
      );
      expect(isForUsers.slice(0, 5)).toEqual(Array(5).fill(true));
    },
  );
});
