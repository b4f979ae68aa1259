// npm test [-- --postgres]: everything that must hold. The last line is "N passed, N failed".
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { contractMatrix } from './lib/contract-matrix.mjs';
import { install } from './lib/install.mjs';
import { findNewerNode } from './lib/newer-node.mjs';
import { isPostgresqlReachable } from './lib/postgresql.mjs';
import { CommandFailed, run } from './lib/run.mjs';
import { twoAtATime } from './lib/two-at-a-time.mjs';
import { runVitest } from './lib/vitest.mjs';
import { root, workspacePackages } from './lib/workspace.mjs';

const SERVER = join(root, 'apps/server');

/** Where the database makes a difference; test/process tries both by itself. */
const DATABASE_TESTS = [
  'test/http',
  'test/resources',
  'test/contract',
  'test/platform/changes',
  ...['migrations', 'open-database', 'pooler', 'postgresql', 'store', 'transaction'].map(
    (name) => `test/platform/database/${name}.test.ts`,
  ),
  'test/sessions',
  'test/credentials/oauth',
  'test/connect',
  'test/authorization-server',
  'test/sign-in',
  'test/identity',
  'test/gateway',
  'test/housekeeping.test.ts',
  'test/scale',
  'test/fuzz',
];

const isPostgresqlRequired =
  process.argv.includes('--postgres') ||
  process.env.CI === 'true' ||
  process.env.TEST_DATABASE_URL !== undefined;

const total = { passed: 0, failed: 0, skipped: 0 };

/** One part of the run; the first that fails ends the run. */
const leg = (title, work) => legs([[[title, work]]]);

/** Rows of parts: those of one row one after another, the rows at the same time. */
async function legs(rows) {
  await Promise.all(
    rows.map(async (parts) => {
      for (const [title, work] of parts) await measure(title, work);
    }),
  );
  endIfFailed();
}

/** What is not a vitest run counts only when it fails, as one. */
async function measure(title, work) {
  const begun = performance.now();
  const counts = await countsOf(work);
  for (const key of Object.keys(total)) total[key] += counts?.[key] ?? 0;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${title}: ${counts ? summaryOf(counts) : 'done'} (${seconds} s)`);
}

/** vitest on a package, and the contract suite's matrix where that is among the tests. */
async function test(options) {
  const result = await runVitest(options);
  for (const name of result.left) console.log(`Left in the temporary folder: ${name}`);
  const matrix = contractMatrix(result.report);
  const isPostgresql = options.env?.GATEHOUSE_TEST_DATABASE === 'postgresql';
  const database = isPostgresql ? 'PostgreSQL' : 'the embedded database';
  if (matrix) console.log(`\nThe contract suite on ${database}:\n\n${matrix}\n`);
  return result;
}

async function countsOf(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    console.error(error.message);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function summaryOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function endIfFailed() {
  if (total.failed > 0) finish();
}

function finish() {
  console.log(`\n${summaryOf(total)}`);
  process.exit(total.failed === 0 ? 0 : 1);
}

await leg('Install and build', async () => {
  await install();
  await build();
});

const packages = workspacePackages();
await leg('Lint, types, unused code', async () => {
  const script = (name, cwd) => () => run('npm', ['run', '--silent', name], { cwd, quiet: true });
  await twoAtATime([
    ...packages
      .filter(({ scripts }) => scripts.typecheck)
      .map(({ dir }) => script('typecheck', dir)),
    script('knip'),
    script('lint'),
    () => run('node', ['scripts/break/main.mjs', '--check'], { quiet: true }),
  ]);
});

// Two at a time, as they wait more than they compute. The server has the machine to itself.
const tested = packages.filter(({ dir }) => existsSync(join(dir, 'test')));
const rooms = tested.filter(({ dir }) => dir !== SERVER);
await twoAtATime(
  rooms.map((room) => () => measure(`Tests of ${room.name}`, () => test({ dir: room.dir }))),
);
endIfFailed();
await leg('Tests of @gatehouse/server', () => test({ dir: SERVER }));

const onPostgresql = [];
const onNewerNode = [];
const httpApi = { dir: SERVER, filters: ['test/http', 'test/resources'] };

if (isPostgresqlRequired || (await isPostgresqlReachable())) {
  const filters = DATABASE_TESTS.filter((folder) => existsSync(join(SERVER, folder)));
  onPostgresql.push([
    'Tests of the server on PostgreSQL',
    () => testOnPostgresql({ dir: SERVER, filters }),
  ]);
} else {
  console.log('\nNo PostgreSQL answers: the server was tested on the embedded database only.');
}

const node = findNewerNode();
if (node !== undefined) {
  onNewerNode.push(["Tests of the server's HTTP API on Node 24", () => test({ ...httpApi, node })]);
  if (onPostgresql.length > 0) {
    onNewerNode.push(['The same on PostgreSQL', () => testOnPostgresql({ ...httpApi, node })]);
  }
} else if (process.env.CI === 'true') {
  onNewerNode.push(['Node 24', () => missing('Node 24')]);
} else {
  console.log('\nNo Node 24 binary here: the server was tested on this Node only.');
}
await legs([onPostgresql, onNewerNode]);

finish();

async function testOnPostgresql(options) {
  if (!(await isPostgresqlReachable()))
    missing('PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432');
  return test({ ...options, env: { GATEHOUSE_TEST_DATABASE: 'postgresql' } });
}

function missing(what) {
  throw new CommandFailed(what, [], 'not there');
}
