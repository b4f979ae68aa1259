import { fileURLToPath } from 'node:url';
import { launchBrowser } from '@gatehouse/harness';
import { LIBRARIES, type Library, PROGRAMS, type Program } from './clients.ts';
import { connectInBrowser } from './connect-in-browser.ts';
import { startSurroundings } from './gatehouse.ts';
import { startModel } from './model/start-model.ts';
import { detailsOf, rowOf } from './report.ts';
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
  model: model.origin,
  root: fileURLToPath(new URL('..', import.meta.url)),
  connect: (person, link) => connectInBrowser(browser, person, link),
};
const trials: Trial[] = [];
try {
  for (const client of clients) {
    const trial = await tryClient(client, deps);
    trials.push(trial);
    console.log(rowOf(trial));
    if (isVerbose) console.log(detailsOf(trial));
  }
} finally {
  await surroundings.close();
  model.close();
  await browser.close();
}
const shown = trials.filter(({ hasShownLink }) => hasShownLink).length;
const connected = trials.filter(({ isConnected }) => isConnected).length;
console.log(`${trials.length} clients: ${shown} showed the link, ${connected} met the upstream.`);
process.exit(trials.length > 0 && Math.min(shown, connected) === trials.length ? 0 : 1);
