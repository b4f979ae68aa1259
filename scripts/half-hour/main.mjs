// npm run half-hour: plays an operator's first half hour by the commands of the pages: from a bare Debian to two nodes
// behind nginx, a backup, its restore, a new key, an upgrade, a lost owner. Needs root, debootstrap and systemd-nspawn.
// --from=<commit> upgrades from another commit than the last one that changed the server. --reuse takes the artefact
// in dist as it is. --check only checks that the blocks of the pages are all run, or named with the reason why not.
import { artefactOf, currentArtefact, findPrevious, newMigrations } from './artefacts.mjs';
import { findFaults } from './find-faults.mjs';
import { createPlay } from './play.mjs';
import { playStep } from './play-step.mjs';
import { STEPS } from './steps.mjs';
import { printTable } from './table.mjs';

const faults = findFaults();
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
if (process.argv.includes('--check')) process.exit(0);

const isReusing = process.argv.includes('--reuse');
const [from] = process.argv.flatMap((argument) => /^--from=(.+)$/.exec(argument)?.slice(1) ?? []);
const commit = findPrevious(from);
const migrations = newMigrations(commit);
console.log(`The upgrade is from ${commit}.`);
console.log(`It brings ${migrations.length === 0 ? 'no migrations' : migrations.join(', ')}.`);

const previous = await artefactOf(commit);
const play = createPlay(previous);
const rows = [];
let isDone = false;
try {
  const steps = isReusing ? STEPS.filter(({ on }) => on !== 'builder') : STEPS;
  for (const step of steps) {
    const row = { title: step.title };
    rows.push(row);
    await playStep(play, step, row);
    if (play.current === undefined) play.current = await currentArtefact();
  }
  isDone = true;
  if (rows.some((row) => row.failed > 0)) await play.explain();
} catch (error) {
  console.error(`\nThe half hour ended here. ${error.stack}`);
  await play.explain();
} finally {
  await play.end();
}
const figures = play.current?.figures ?? {};
for (const [name, milliseconds] of play.measured) {
  figures[name] = `${(milliseconds / 1_000).toFixed(1)} s`;
}
if (previous.installSeconds !== undefined) {
  figures['installation of a fresh clone'] = `${previous.installSeconds.toFixed(1)} s`;
}
const underTraffic = rows.filter(({ made }) => made !== undefined);
if (underTraffic.length > 0) {
  const sum = (of) => underTraffic.reduce((total, row) => total + row[of], 0);
  figures['calls a second, of 200'] = (sum('made') / sum('seconds')).toFixed(0);
}
const failed = printTable(rows, figures);
process.exit(isDone && failed === 0 ? 0 : 1);
