// npm run break -- [--check] [--why] [name ...]: shows that the tests notice what they are meant to notice.
// Each patch breaks one thing in a copy of the repository, and the test it names must fail. `--check`
// only checks that every patch can be applied; `--why` prints why the test failed.
import { isPostgresqlReachable } from '../lib/postgresql.mjs';
import { root } from '../lib/workspace.mjs';
import { createCopy } from './copy.mjs';
import { findPatchErrors } from './patch-file.mjs';
import { patches } from './patches.mjs';
import { findFailing, groupsOf, tryPatch } from './try-patch.mjs';
import { runOnWorkers } from './workers.mjs';

const WORKERS = 2;

const args = process.argv.slice(2);
const wanted = args.filter((argument) => !argument.startsWith('--'));

function fail(lines) {
  for (const line of lines) console.error(line);
  process.exit(1);
}

const unknown = wanted.filter((name) => !patches.some((patch) => patch.name === name));
if (unknown.length > 0) fail(unknown.map((name) => `There is no patch named ${name}.`));

const errors = findPatchErrors(patches, root);
if (errors.length > 0) fail(errors);
if (args.includes('--check')) {
  console.log(`${patches.length} patches can be applied.`);
  process.exit();
}

const selected = patches.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const hasPostgresql =
  selected.some(({ test }) => test.store === 'postgresql') && (await isPostgresqlReachable());
const chosen = selected.filter(({ name, test }) => {
  const runs = test.store !== 'postgresql' || hasPostgresql;
  if (!runs) console.log(`${name}: skipped, there is no PostgreSQL`);
  return runs;
});

const copies = Array.from({ length: Math.min(WORKERS, chosen.length) }, createCopy);

const failing = [];
await runOnWorkers(groupsOf(chosen.map(({ test }) => test)), copies, async (tests, dir) => {
  failing.push(...(await findFailing(tests, dir)));
});
if (failing.length > 0) fail(['Without any patch, these tests fail:', ...new Set(failing)]);

let noticed = 0;
await runOnWorkers(chosen, copies, async (patch, dir) => {
  const startedAt = performance.now();
  const outcome = await tryPatch(patch, dir);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (outcome.noticed) noticed += 1;
  console.log(`${patch.name}: ${outcome.text} (${seconds} s)`);
  if (!outcome.noticed) console.log(`  no test notices: ${patch.means}`);
  if (outcome.why && args.includes('--why')) console.log(`  ${outcome.why}`);
});
console.log(`\n${noticed} of ${chosen.length} patches were noticed`);
process.exit(noticed === chosen.length ? 0 : 1);
