// npm run docs:pictures: photographs the consent and connect pages of a running server for docs/pictures.
// It needs an installed Chromium, or CHROMIUM_PATH.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { run } from './lib/run.mjs';
import { createTemporaryFolder } from './lib/temporary-folder.mjs';
import { root } from './lib/workspace.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';
const TEST = 'test/authorization-server/consent-page.slow.test.ts';
/** The names in docs/pictures, and those that the test gives them. */
const PICTURES = { 'consent.png': 'consent.png', 'connect.png': 'connect-phone-light.png' };

await install();
await build();
const folder = createTemporaryFolder('gatehouse-pictures-');
await run('node', [VITEST, 'run', '--root', 'apps/server', TEST], {
  env: { CI: 'true', GATEHOUSE_TEST_PICTURES: folder },
});
for (const [name, taken] of Object.entries(PICTURES)) {
  copyFileSync(join(folder, taken), join(root, 'docs/pictures', name));
}
