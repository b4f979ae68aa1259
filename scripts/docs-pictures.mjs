// npm run docs:pictures: photographs pages of a running server, and every view of the console in three widths and
// both themes, for docs/pictures and docs/start/views.md. Titles of views as arguments take those alone. It needs an installed Chromium, or CHROMIUM_PATH.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { loadSource } from './lib/load-source.mjs';
import { run } from './lib/run.mjs';
import { createTemporaryFolder } from './lib/temporary-folder.mjs';
import { root } from './lib/workspace.mjs';

/** The pictures in docs/pictures of those that the test of the server's pages takes. */
const PAGES = { 'consent.png': 'consent.png', 'connect.png': 'connect-phone-light.png' };
const PAGES_TEST = 'test/authorization-server/consent-page.slow.test.ts';
const TAKE_VIEWS = join(root, 'apps/console/demo/take-pictures.ts');

/** Of the views to take, as the page has them; by default all, and the pages. */
const titles = process.argv.slice(2);

await install();
await build();
if (titles.length === 0) await takePages();
await takeViews();

async function takePages() {
  const folder = createTemporaryFolder('gatehouse-pictures-');
  await run(
    'node',
    ['node_modules/vitest/vitest.mjs', 'run', '--root', 'apps/server', PAGES_TEST],
    {
      env: { CI: 'true', GATEHOUSE_TEST_PICTURES: folder },
    },
  );
  for (const [name, taken] of Object.entries(PAGES)) {
    copyFileSync(join(folder, taken), join(root, 'docs/pictures', name));
  }
}

async function takeViews() {
  const folder = join(root, 'docs/pictures/views');
  if (titles.length === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { takePictures } = await loadSource(TAKE_VIEWS);
  const chromium = await launchChromium();
  const pictured = await takePictures(chromium, folder, titles);
  await chromium.close();
  writeFileSync(join(root, 'docs/start/views.md'), pageOf(pictured));
}

/** The harness imports Playwright when it launches, which its source cannot do once it has been loaded here. */
async function launchChromium() {
  const harness = join(root, 'packages/harness');
  const { findChromium } = await loadSource(join(harness, 'src/browser/find-chromium.ts'));
  const { chromium } = createRequire(join(harness, 'package.json'))('playwright-core');
  const chromiumSandbox = process.getuid?.() !== 0;
  return chromium.launch({ executablePath: findChromium(), chromiumSandbox });
}

function pageOf(pictured) {
  const lines = [
    '# Every view of the console',
    '',
    'Each view as an admin sees it: on a wide screen, a tablet and a phone, in light and dark. The theme follows your system until you choose one. Some names are there to show that a name is only text, whatever it contains. What each view is for is in [The console](console.md).',
  ];
  for (const { title, files } of pictured) {
    const picture = (width, theme) =>
      `![${title}, ${width} px wide, ${theme}](../pictures/views/${files[width][theme]})`;
    lines.push('', `## ${title}`, '', picture(1440, 'light'), '', picture(1440, 'dark'), '');
    lines.push('| 768 px | 768 px, dark | 360 px | 360 px, dark |', '|---|---|---|---|');
    const small = [768, 360].flatMap((width) => [picture(width, 'light'), picture(width, 'dark')]);
    lines.push(`| ${small.join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}
