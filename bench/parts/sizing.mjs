import { copyServer, openRoute, startGatehouse } from '../lib/gatehouse.mjs';
import { Connection } from '../lib/http-client.mjs';
import { check, modernEchoCall } from '../lib/mcp.mjs';
import { addPerson } from '../lib/people.mjs';
import { number } from '../lib/report.mjs';
import { Stage } from '../lib/stage.mjs';
import { cpuSecondsOf, residentMegabytesOf, treeCpuSecondsOf } from '../lib/system.mjs';
import { openStream } from './streams.mjs';

const PEOPLE = [100, 1_000, 4_000];
/** Seconds between two calls of a person, who also has an event stream open. */
const BETWEEN_CALLS = 10;
const MADE_AT_ONCE = 8;
const CONNECTIONS = 32;
const SECONDS = 20;

const COLUMNS = [
  ...['calls/s', 'p50 ms', 'p99 ms', 'streams', 'processor of the node', 'memory MB'],
  ...['processor of PostgreSQL', 'connections to PostgreSQL', 'database MB'],
];

/** What one node takes for organizations of several sizes, at a steady load. */
export async function measureSizing({ postgresql }) {
  const rows = [];
  for (const people of PEOPLE) rows.push(await sizeOf(postgresql, people));
  const title = `One node: each person calls every ${BETWEEN_CALLS} s and listens to one event stream`;
  return { part: 'sizing', cells: [{ title, kind: 'plain', columns: COLUMNS, rows }] };
}

async function sizeOf(postgresql, people) {
  const stage = new Stage(postgresql);
  const databaseUrl = await postgresql.createDatabase();
  const gatehouse = await startGatehouse({ main: copyServer('server'), databaseUrl });
  const path = await openRoute(gatehouse, await stage.startUpstream());
  const tokens = await inParallel(people, (index) => addPerson(gatehouse, index));
  const endpoints = tokens.map((token) => ({ ...gatehouse, path, token }));
  const streams = await inParallel(people, (index) => openStream(endpoints[index]));
  const perSecond = people / BETWEEN_CALLS;
  await callEvenly(endpoints, perSecond, SECONDS / 2);
  const before = [cpuSecondsOf(gatehouse.pid), treeCpuSecondsOf(postgresql.pid)];
  const latencies = await callEvenly(endpoints, perSecond, SECONDS);
  const after = [cpuSecondsOf(gatehouse.pid), treeCpuSecondsOf(postgresql.pid)];
  const [node, database] = after.map((used, index) => ((used - before[index]) / SECONDS) * 100);
  const memory = residentMegabytesOf(gatehouse.pid);
  const [{ connections, bytes }] = await postgresql.query(
    `SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
       AND pid <> pg_backend_pid()) AS connections, pg_database_size(current_database()) AS bytes`,
    databaseUrl,
  );
  const at = (share) => latencies[Math.floor(latencies.length * share)].toFixed(1);
  for (const socket of streams) socket.destroy();
  await gatehouse.stop();
  await stage.close();
  return {
    target: `${number(people)} people`,
    values: [
      ...[number(perSecond), at(0.5), at(0.99), number(streams.length), `${number(node)} %`],
      ...[number(memory), `${number(database)} %`, number(Number(connections))],
      number(Number(bytes) / 1e6),
    ],
  };
}

async function inParallel(count, make) {
  const made = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) made[index] = await make(index);
  };
  await Promise.all(Array.from({ length: MADE_AT_ONCE }, worker));
  return made;
}

/** Calls at even distances, each of the next person. @returns the sorted milliseconds of each */
async function callEvenly(endpoints, perSecond, seconds) {
  const latencies = [];
  const startedAt = performance.now();
  let next = 0;
  const worker = async () => {
    const connection = new Connection(endpoints[0].port);
    for (let index = next++; index < perSecond * seconds; index = next++) {
      const due = startedAt + (index / perSecond) * 1000;
      await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
      const began = performance.now();
      const { bytes, expected } = modernEchoCall(endpoints[index % endpoints.length]);
      check(await connection.exchange(bytes), expected);
      latencies.push(performance.now() - began);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return latencies.sort((one, other) => one - other);
}
