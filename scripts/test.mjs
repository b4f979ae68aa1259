// npm test: is my change right? npm run test:all: may it be released? The projects are those of vitest.config.ts.
// The last line is "N passed, N failed[, N skipped]"; above it is each failure once more, in brief.
import { join } from 'node:path';
import { bringPostgresql } from './lib/bring-postgresql.mjs';
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { loadSource } from './lib/load-source.mjs';
import { findNewerNode } from './lib/newer-node.mjs';
import { CommandFailed, run } from './lib/run.mjs';
import { twoAtATime } from './lib/two-at-a-time.mjs';
import { runVitest } from './lib/vitest.mjs';
import { root } from './lib/workspace.mjs';

const isAll = process.argv.includes('--all');
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

/** What is not a vitest run counts only when it fails, as one. */
async function leg(title, work) {
  const begun = performance.now();
  const counts = await work().catch((error) => {
    if (!(error instanceof CommandFailed)) throw error;
    console.error(error.message);
    return { failed: 1, failures: [error.message] };
  });
  for (const key of Object.keys(total)) total[key] += counts?.[key] ?? 0;
  failures.push(...(counts?.failures ?? []));
  console.log(`${title}: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
}

/** What a machine lacks is a failure where nothing may be left out. */
function leaveOut(what) {
  console.log(`Left out: ${what}.`);
  if (isAll && process.env.CI === 'true') total.failed += 1;
}

function finish() {
  for (const failure of failures) console.log(`\nFailed: ${failure}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  process.exit(total.failed === 0 ? 0 : 1);
}

function checks() {
  const script = (name) => () => run('npm', ['run', '--silent', name], { quiet: true });
  return twoAtATime(['typecheck', 'knip', 'lint'].map(script));
}

async function hasBrowser() {
  const file = join(root, 'packages/harness/src/browser/find-chromium.ts');
  const { findChromium } = await loadSource(file);
  return findChromium() !== undefined;
}

await leg('Install', install);
await leg('Build', build);
await leg('Types, lint, unused code', checks);
if (total.failed > 0) finish();

const projects = [
  'packages',
  'core',
  ...(isAll ? ['packages-slow', 'console', 'slow', 'alone', 'console-alone'] : []),
];
const lack = await bringPostgresql();
const onlyAll = isAll ? ['postgresql-slow', 'reversed-subscribers'] : [];
if (lack === undefined) projects.push('postgresql', ...onlyAll);
else leaveOut(`the tests on PostgreSQL, because ${lack}`);

if (await hasBrowser()) projects.push('console-quick');
else leaveOut('the console in a browser, because no Chromium is installed');

await leg('Tests', () => runVitest(projects.map((name) => `--project=${name}`)));

if (isAll) {
  const node = findNewerNode();
  if (node === undefined) leaveOut('the tests on Node 24, because it is not installed');
  else await leg('Tests on Node 24', () => runVitest(['--project=newer-node'], { node }));
}
finish();
