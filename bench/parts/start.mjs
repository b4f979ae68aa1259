import { setTimeout as delay } from 'node:timers/promises';
import { copyServer, newDataDirectory, startGatehouse } from '../lib/gatehouse.mjs';
import { number, ranged } from '../lib/report.mjs';
import { spread } from '../lib/rounds.mjs';
import { residentMegabytesOf } from '../lib/system.mjs';

const REPEATS = 3;
/** Milliseconds after readiness at which memory is read. */
const IDLE_FOR = 10_000;

/** The time from the start of the process to the first 200 of `/readyz`, and the memory of an idle server. */
export async function measureStart({ postgresql, settings }) {
  const main = copyServer('server');
  const repeats = settings.rounds < REPEATS ? 1 : REPEATS;
  const samples = { 'embedded, first start': [], 'embedded, later start': [] };
  samples['PostgreSQL, first start'] = [];
  samples['PostgreSQL, later start'] = [];
  for (let index = 0; index < repeats; index += 1) {
    const embedded = { main, dataDirectory: newDataDirectory() };
    samples['embedded, first start'].push(await startOnce(embedded));
    samples['embedded, later start'].push(await startOnce(embedded));
    const onServer = { main, databaseUrl: await postgresql.createDatabase() };
    samples['PostgreSQL, first start'].push(await startOnce(onServer));
    samples['PostgreSQL, later start'].push(await startOnce(onServer));
  }
  const rows = Object.entries(samples).map(([target, each]) => ({
    target,
    samples: each,
    values: [
      ranged(spread(each.map(({ seconds }) => seconds)), (value) => value.toFixed(2)),
      ranged(spread(each.map(({ megabytes }) => megabytes)), number),
    ],
  }));
  const title = `Start and idle memory, ${repeats} of each`;
  const columns = ['seconds until ready', `RSS ${IDLE_FOR / 1000} s later, MB`];
  return { part: 'start', cells: [{ title, kind: 'plain', columns, rows }] };
}

async function startOnce(options) {
  const gatehouse = await startGatehouse(options);
  await delay(IDLE_FOR);
  const megabytes = residentMegabytesOf(gatehouse.pid);
  await gatehouse.stop();
  return { seconds: gatehouse.readyAfter / 1000, megabytes };
}
