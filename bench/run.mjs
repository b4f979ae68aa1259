// node bench/run.mjs [gateway|sessions|payloads|aggregate|audit|million|credentials|oauth|pauses|policy|streams|rest|start|sizing|sdk ...] [--quick] [--profile] [--rounds=n] [--seconds=n]
// [--against=<folder>]: also measures the built server of another checkout, in the same rounds (gateway, sessions, payloads, rest).
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startPostgresql } from './lib/postgresql.mjs';
import { profileInto } from './lib/processes.mjs';
import { conditions, headline, markdownOf } from './lib/report.mjs';
import { measureAggregate } from './parts/aggregate.mjs';
import { measureAudit } from './parts/audit.mjs';
import { measureCredentials } from './parts/credentials.mjs';
import { measureCalls } from './parts/gateway.mjs';
import { measureMillion } from './parts/million.mjs';
import { measureOauth } from './parts/oauth.mjs';
import { measurePauses } from './parts/pauses.mjs';
import { measurePolicy } from './parts/policy.mjs';
import { measureRest } from './parts/rest.mjs';
import { measureSdk } from './parts/sdk.mjs';
import { measureSizing } from './parts/sizing.mjs';
import { measureStart } from './parts/start.mjs';
import { measureStreams } from './parts/streams.mjs';

const PARTS = {
  gateway: (context) => measureCalls('gateway', context),
  sessions: (context) => measureCalls('sessions', context),
  payloads: (context) => measureCalls('payloads', context),
  aggregate: measureAggregate,
  audit: measureAudit,
  million: measureMillion,
  credentials: measureCredentials,
  oauth: measureOauth,
  pauses: measurePauses,
  policy: measurePolicy,
  streams: measureStreams,
  rest: measureRest,
  start: measureStart,
  sizing: measureSizing,
  sdk: measureSdk,
};

const results = fileURLToPath(new URL('results', import.meta.url));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const OPTIONS = ['quick', 'profile', 'rounds', 'seconds', 'against'];
const unknown =
  named.find((name) => !(name in PARTS)) ??
  options.find((each) => !OPTIONS.includes(each.slice(2).split('=')[0]));
if (unknown !== undefined) {
  console.error(`There is no ${unknown}. The parts are ${Object.keys(PARTS).join(', ')}.`);
  console.error(`The options are ${OPTIONS.map((name) => `--${name}`).join(', ')}.`);
  process.exit(1);
}

const optionValue = (name) =>
  options.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const numberOf = (name) => optionValue(name) && Number(optionValue(name));
const isQuick = options.includes('--quick');
const settings = {
  rounds: numberOf('rounds') ?? (isQuick ? 2 : 7),
  seconds: numberOf('seconds') ?? (isQuick ? 0.7 : 2),
  warmUp: isQuick ? 0.7 : 3,
  warmUpCount: isQuick ? 500 : 3_000,
  report: (cell) => console.error(headline(cell)),
};

mkdirSync(results, { recursive: true });
if (options.includes('--profile')) profileInto(results);
const postgresql = await startPostgresql();
const about = { ...(await conditions(postgresql)), ...settings };
const parts = [];
for (const name of named.length > 0 ? named : Object.keys(PARTS)) {
  parts.push(await PARTS[name]({ postgresql, settings, against: optionValue('against') }));
  // After each part, so that a later failure loses nothing.
  writeFileSync(`${results}/latest.md`, markdownOf(about, parts));
  writeFileSync(`${results}/latest.json`, JSON.stringify({ conditions: about, parts }, null, 2));
}
await postgresql.close();
console.log(markdownOf(about, parts));
process.exit(0);
