/** Names a test of a package by its file and its full name, with ` > ` between titles. */
const vitestOf = (folder) => (file, name, options) => ({
  kind: 'vitest',
  package: folder,
  file: `test/${file}`,
  name,
  ...options,
});

export const contractTest = vitestOf('packages/contract');
export const sdkTest = vitestOf('packages/sdk');
export const serverTest = vitestOf('apps/server');

/** A case of the contract suite, run against the server or the mocks. */
export const suiteTest = (target, name) =>
  serverTest('contract/contract.test.ts', `fetch → ${target} > ${name}`);

/** A pin of the SDK's types: a line of `test-d` that compiles only while the types are equal. */
export const typePin = (file, name) => ({
  kind: 'types',
  package: 'packages/sdk',
  file: `test-d/${file}`,
  name,
});

/** Runs the built package, which is built for each run. */
export const built = { isBuilt: true };

/** Needs PostgreSQL. Without one the patch is skipped. */
export const onPostgresql = { store: 'postgresql' };
