// npm run break -- [--check] [--why] [name ...]: shows that the tests notice what they are there to notice.
// Each patch breaks one thing in a copy of the repository, and its named test must fail. `--check`
// only proves that every patch can still be applied; `--why` prints how the test failed.
import { isPostgresqlReachable } from '../lib/postgresql.mjs';
import { root } from '../lib/workspace.mjs';
import { createCopy } from './copy.mjs';
import { findRed, groupsOf, judge } from './judge.mjs';
import { findFaults } from './patch-file.mjs';
import { patches } from './patches.mjs';
import { shareOut } from './pool.mjs';

const WORKERS = 2;

const args = process.argv.slice(2);
const wanted = args.filter((argument) => !argument.startsWith('--'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

function fail(lines) {
  for (const line of lines) console.error(line);
  process.exit(1);
}

const unknown = wanted.filter((name) => !patches.some((patch) => patch.name === name));
if (unknown.length > 0) fail(unknown.map((name) => `There is no patch ${name}.`));

const faults = findFaults(patches, root);
if (faults.length > 0) fail(faults);
if (args.includes('--check')) {
  console.log(`${patches.length} patches can be applied.`);
  process.exit();
}

const asked = patches.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const hasPostgresql =
  asked.some(({ test }) => test.store === 'postgresql') && (await isPostgresqlReachable());
const chosen = asked.filter(({ name, test }) => {
  const runs = test.store !== 'postgresql' || hasPostgresql;
  if (!runs) console.log(`${name}: skipped, no PostgreSQL answers`);
  return runs;
});

const copies = Array.from({ length: Math.min(WORKERS, chosen.length) }, createCopy);

const red = [];
await shareOut(groupsOf(chosen.map(({ test }) => test)), copies, async (tests, dir) => {
  red.push(...(await findRed(tests, dir)));
});
if (red.length > 0) fail(['Without any patch, these tests do not pass:', ...new Set(red)]);

let noticed = 0;
await shareOut(chosen, copies, async (patch, dir) => {
  const begun = performance.now();
  const verdict = await judge(patch, dir);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  if (verdict.noticed) noticed += 1;
  console.log(`${patch.name}: ${verdict.text} (${seconds} s)`);
  if (!verdict.noticed) console.log(`  unnoticed: ${patch.means}`);
  if (verdict.why && args.includes('--why')) console.log(`  ${verdict.why}`);
});
console.log(`\n${noticed} of ${chosen.length} patches were noticed`);
process.exit(noticed === chosen.length ? 0 : 1);
