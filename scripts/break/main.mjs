// npm run break -- [--check] [--why] [name ...]: shows that the tests notice what they are meant to notice.
// Each patch breaks one promise in a copy of the repository, and the test it names must fail. `--check`
// only checks that every patch can be applied; `--why` prints why the test failed.
import { build } from '../lib/build.mjs';
import { isPostgresqlReachable } from '../lib/postgresql.mjs';
import { root } from '../lib/workspace.mjs';
import { createCopy } from './copy.mjs';
import { findPatchErrors, findUnbroken } from './patch-file.mjs';
import { patches } from './patches.mjs';
import { findFailing, groupsOf, tryPatch } from './try-patch.mjs';

const WORKERS = 2;

const args = process.argv.slice(2);
const wanted = args.filter((argument) => !argument.startsWith('--'));

function fail(lines) {
  for (const line of lines) console.error(line);
  process.exit(1);
}

/** Gives each item to the next free copy. */
async function onCopies(items, work) {
  const queue = [...items];
  const next = async (dir) => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item, dir);
  };
  await Promise.all(copies.map(next));
}

const unknown = wanted.filter((name) => !patches.some((patch) => patch.name === name));
if (unknown.length > 0) fail(unknown.map((name) => `There is no patch named ${name}.`));

const errors = findPatchErrors(patches, root);
if (errors.length > 0) fail(errors);
if (args.includes('--check')) {
  const unbroken = findUnbroken(patches, root);
  console.log(`${patches.length} patches can be applied. Promises without one: ${unbroken.length}`);
  for (const promise of unbroken) console.log(`- ${promise}`);
  process.exit();
}

const selected = patches.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const needsPostgresql = selected.some(({ test }) => test.store === 'postgresql');
const hasPostgresql = needsPostgresql && (await isPostgresqlReachable());
const chosen = selected.filter(({ test }) => test.store !== 'postgresql' || hasPostgresql);
if (chosen.length < selected.length) {
  console.log(`No PostgreSQL: ${selected.length - chosen.length} patches are skipped.`);
}

// Tests of processes start the built server. The copies do not build it again: patches of sources name other tests.
await build(['@gatehouse/server']);
const copies = Array.from({ length: Math.min(WORKERS, chosen.length) }, createCopy);

const failing = [];
await onCopies(groupsOf(chosen.map(({ test }) => test)), async (tests, dir) => {
  failing.push(...(await findFailing(tests, dir)));
});
if (failing.length > 0) fail(['Without any patch, these tests fail:', ...new Set(failing)]);

let noticed = 0;
await onCopies(chosen, async (patch, dir) => {
  const startedAt = performance.now();
  const outcome = await tryPatch(patch, dir);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (outcome.isNoticed) noticed += 1;
  console.log(`${patch.name}: ${outcome.text} (${seconds} s)`);
  if (!outcome.isNoticed) console.log(`  no test notices: ${patch.means}`);
  if (outcome.why && args.includes('--why')) console.log(`  ${outcome.why}`);
});
console.log(`\n${noticed} of ${chosen.length} patches were noticed`);
process.exit(noticed === chosen.length ? 0 : 1);
