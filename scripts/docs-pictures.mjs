// npm run docs:pictures: photographs pages of a running server and views of the console for docs/pictures.
// It needs an installed Chromium, or CHROMIUM_PATH.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { run } from './lib/run.mjs';
import { createTemporaryFolder } from './lib/temporary-folder.mjs';
import { root } from './lib/workspace.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';
/** What takes pictures, and for each name in docs/pictures the one that it gives. */
const TAKEN = [
  {
    folder: 'apps/server',
    test: 'test/authorization-server/consent-page.slow.test.ts',
    pictures: { 'consent.png': 'consent.png', 'connect.png': 'connect-phone-light.png' },
  },
  {
    folder: 'apps/console',
    test: 'test/looks.slow.test.ts',
    pictures: {
      'console-home.png': 'console-1440.png',
      'console-access.png': 'console-access-focus-Cursor-1440.png',
      'console-playground.png':
        'console-playground-application-Cursor-integration-GitHub-tool-echo-1440.png',
    },
  },
];

await install();
await build();
const folder = createTemporaryFolder('gatehouse-pictures-');
for (const { folder: place, test, pictures } of TAKEN) {
  await run('node', [VITEST, 'run', '--root', place, test], {
    env: { CI: 'true', GATEHOUSE_TEST_PICTURES: folder },
  });
  for (const [name, taken] of Object.entries(pictures)) {
    copyFileSync(join(folder, taken), join(root, 'docs/pictures', name));
  }
}
