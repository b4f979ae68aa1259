// node bench/files-of-a-request.mjs [--against=<folder>] [--list]
// How many source files and functions of server and contract run for one request of each kind, in the built
// server. --against: also in the built server of another checkout. --list: names the files.
import { fileURLToPath } from 'node:url';
import { copyServer, startGatehouse } from './lib/gatehouse.mjs';
import { freePort } from './lib/processes.mjs';
import { startProvider } from './lib/provider.mjs';
import { sourceFinder } from './lib/sources.mjs';
import { Stage } from './lib/stage.mjs';
import { CALL, EXPIRES_IN, REFRESH, REQUESTS } from './parts/single-requests.mjs';

/** A function that does not run for each of them belongs to a timer, not to the request. */
const SAMPLES = 5;
const against = process.argv.find((argument) => argument.startsWith('--against='))?.slice(10);
const isListed = process.argv.includes('--list');

const stage = new Stage();
const upstream = await stage.startUpstream();
const provider = await startProvider(upstream.token, EXPIRES_IN);
const trees = [{ name: 'here', kinds: await measure('server') }];
if (against) trees.push({ name: against, kinds: await measure('server-other', against) });
provider.close();
await stage.close();

for (const { name, kinds } of trees) {
  console.log(`\n${name}`);
  for (const [title, functions] of kinds) {
    const files = [...new Set(functions)].sort();
    console.log(`${title}: ${files.length} files, ${functions.length} functions`);
    if (isListed) for (const file of files) console.log(`  ${file}`);
  }
}
process.exit(0);

async function measure(name, checkout) {
  const main = copyServer(name, { checkout });
  const coveragePort = await freePort();
  const preload = fileURLToPath(new URL('lib/coverage.cjs', import.meta.url));
  const gatehouse = await startGatehouse({
    main,
    env: { NODE_OPTIONS: `--require ${preload}`, COVERAGE_PORT: String(coveragePort) },
  });
  const sourceOf = sourceFinder(main);
  const take = async () => (await fetch(`http://127.0.0.1:${coveragePort}`)).json();
  const ran = {};
  for (const [title, prepare] of Object.entries(REQUESTS)) {
    const prepareOne = await prepare(gatehouse, upstream, provider);
    ran[title] = (await functionsOf(prepareOne, take)).map(sourceOf).filter(isOurs);
  }
  await gatehouse.stop();
  const inCall = new Set(ran[CALL]);
  ran['of these, not in a gateway call'] = ran[REFRESH].filter((file) => !inCall.has(file));
  return Object.entries(ran);
}

/** Places of the functions that run each time. */
async function functionsOf(prepareOne, take) {
  let common;
  // The first request of a kind fills caches.
  for (let sample = 0; sample <= SAMPLES; sample += 1) {
    const send = await prepareOne();
    await take();
    await send();
    const ran = new Set(await take());
    if (sample > 0) common = common?.filter((each) => ran.has(each)) ?? [...ran];
  }
  return common;
}

function isOurs(source) {
  return (
    /^(apps\/server|packages\/contract)\/src\//.test(source) && !source.includes('/generated/')
  );
}
