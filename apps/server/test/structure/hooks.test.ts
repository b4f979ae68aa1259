import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filesIn } from './imports.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const testFolders = ['apps', 'packages']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
  .map((workspacePackage) => join(workspacePackage, 'test'))
  .filter((folder) => existsSync(folder));

/** vitest runs it for each test file. */
const SETUP_FILE = 'apps/server/test/support/each-file.ts';

// Modules stay from file to file, so a hook at the top of one runs in the first file that imports it, and never again.
it('hooks are registered at the top of test files only', () => {
  const helpers = testFolders.flatMap((folder) => filesIn(folder, /(?<!\.test)\.ts$/));
  const withHook = helpers.filter((file) =>
    /^(before|after)(Each|All)\(/m.test(readFileSync(file, 'utf8')),
  );
  expect(withHook.map((file) => relative(root, file))).toEqual([SETUP_FILE]);
});
