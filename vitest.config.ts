import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig, mergeConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/**
 * Workspace packages are read from their sources, so that no test runs against a stale build. Others are found
 * as Node finds them: it has no condition `module`, behind which some packages keep files for bundlers alone.
 */
const conditions = [
  '@gatehouse/source',
  ...defaultServerConditions.filter((condition) => condition !== 'module'),
];

/** What every project has in common, and what `npx vitest` uses inside a package. */
export const settings = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    // Far more than anything takes: they end what hangs, on a machine that does much else too.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000, interval: 10 } },
    pool: 'forks',
    maxWorkers: 2,
    // A test file loads the server in a fraction of a second after the first of its process, and leaves no global changed.
    isolate: false,
    // Each worker of each project loads the server, which takes it half of the time with files that are compiled already.
    experimental: { fsModuleCache: true },
  },
});

const SLOW = '**/*.slow.test.ts';
const ALONE = '**/*.alone.slow.test.ts';
const BROWSER = '**/*.browser.test.ts';
const PACKAGES = '{packages/*,apps/console,examples,docs}/test/**';
const CONSOLE = 'apps/console/test/**';

const setupFile = (name: string) =>
  fileURLToPath(new URL(`apps/server/test/support/${name}.ts`, import.meta.url));
const server = {
  root: 'apps/server',
  setupFiles: [setupFile('each-file')],
  // A worker lives for minutes: it runs the embedded database as it is, and does not compile it again for speed.
  execArgv: ['--liftoff-only'],
};
const onPostgresql = { ...server, env: { GATEHOUSE_TEST_DATABASE: 'postgresql' } };
/** They start processes and wait for them more than they compute, so more of them run at the same time, at the end. */
const processes = { maxWorkers: 4, sequence: { groupOrder: 1 } };
/** A browser computes on both cores. Later, so that it does not keep tests waiting that measure time. */
const browsers = { maxWorkers: 3, sequence: { groupOrder: 2 } };
/** They promise times, which hold where nothing else computes. */
const alone = { maxWorkers: 1, execArgv: [], sequence: { groupOrder: 3 } };

function project(
  name: string,
  test: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration {
  const { include: _include, ...common } = settings.test ?? {};
  return mergeConfig({ ...settings, test: common }, { test: { name, ...test } });
}

export default defineConfig({
  test: {
    reporters: ['default', './scripts/lib/slow-files.mjs'],
    projects: [
      project('packages', { include: [`${PACKAGES}/*.test.ts`], exclude: [SLOW, BROWSER] }),
      project('core', { ...server, include: ['test/**/*.test.ts'], exclude: [SLOW] }),
      project('postgresql', { ...onPostgresql, include: ['test/**/*.store.test.ts'] }),
      project('packages-slow', {
        ...processes,
        include: [`${PACKAGES}/${SLOW}`],
        exclude: [CONSOLE],
      }),
      project('console-quick', { ...browsers, include: [`${CONSOLE}/${BROWSER}`] }),
      project('console', {
        ...browsers,
        include: [`${CONSOLE}/*.slow.test.ts`],
        exclude: [ALONE],
      }),
      project('slow', { ...server, ...processes, include: [`test/${SLOW}`], exclude: [ALONE] }),
      project('alone', { ...server, ...alone, include: [`test/${ALONE}`] }),
      project('console-alone', { ...alone, include: [`${CONSOLE}/${ALONE}`] }),
      project('postgresql-slow', {
        ...onPostgresql,
        ...processes,
        include: ['test/**/*.store.slow.test.ts', 'test/contract/contract.test.ts'],
      }),
      // Revocation, rotation and detach do not rest on the order in which caches and listeners subscribed.
      project('reversed-subscribers', {
        ...onPostgresql,
        ...processes,
        setupFiles: [...server.setupFiles, setupFile('reversed-subscribers')],
        include: [
          'test/gateway/{revocation.store,revoked-session,two-nodes.store}.test.ts',
          'test/authorization-server/endings.store.test.ts',
          'test/resources/applications/oauth.store.test.ts',
        ],
      }),
      // `npm run test:all` runs it on Node 24: what the Node below can change.
      project('newer-node', {
        ...server,
        env: { GATEHOUSE_CONTRACT_TARGETS: 'sdk → server,ts-rest → server' },
        include: [
          'test/http/**/!(*.slow|authority*|authorization).test.ts',
          'test/contract/contract.test.ts',
          'test/gateway/{relay,streaming}.test.ts',
          'test/process/end-to-end.slow.test.ts',
        ],
      }),
    ],
  },
});
