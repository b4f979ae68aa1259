import { fileURLToPath } from 'node:url';
import { launchBrowser } from '@gatehouse/harness';
import { LIBRARIES, type Library, PROGRAMS, type Program } from './clients.ts';
import { connectInBrowser } from './connect-in-browser.ts';
import { startSurroundings } from './gatehouse.ts';
import { startModel } from './model/start-model.ts';
import { detailsOf, isUsable, rowOf } from './report.ts';
import { type Trial, type TrialDeps, tryClient } from './trial.ts';

const args = process.argv.slice(2);
const isVerbose = args.includes('--verbose');
/** Run only the clients with one of these in their names; without any, run all. */
const parts = args.filter((arg) => !arg.startsWith('--')).map((part) => part.toLowerCase());
const clients: (Library | Program)[] = [...LIBRARIES, ...PROGRAMS].filter(
  ({ name }) => parts.length === 0 || parts.some((part) => name.toLowerCase().includes(part)),
);

const browser = await launchBrowser();
if (browser === undefined) throw new Error('Needs a Chromium, in PATH or CHROMIUM_PATH.');
const model = await startModel();
const surroundings = await startSurroundings();
const deps: TrialDeps = {
  surroundings,
  model,
  root: fileURLToPath(new URL('..', import.meta.url)),
  connect: (person, link) => connectInBrowser(browser, person, link),
};
const trials: Trial[] = [];
try {
  // What an upstream speaks is known once someone has connected: before, it asks everyone for a token.
  for (const [index, { connectLink }] of surroundings.places.entries()) {
    await deps.connect(await surroundings.addPerson(`first-${index}`), connectLink);
  }
  for (const client of clients) {
    for (const place of surroundings.places) {
      const trial = await tryClient(client, place, deps);
      trials.push(trial);
      console.log(rowOf(trial));
      if (isVerbose) console.log(detailsOf(trial));
    }
  }
} finally {
  await surroundings.close();
  model.close();
  await browser.close();
}
const usable = trials.filter(isUsable).length;
console.log(
  `${trials.length} trials: in ${usable} the client could be used, also after a limit, or does not speak the era.`,
);
process.exit(trials.length > 0 && usable === trials.length ? 0 : 1);
