import { checkText, echoCall, smallListCall } from '../lib/mcp.mjs';
import { ranged } from '../lib/report.mjs';
import { spread } from '../lib/rounds.mjs';
import { openServers } from '../lib/small-servers.mjs';
import { cpuSecondsOf } from '../lib/system.mjs';
import { measureCell, openWorker } from './gateway.mjs';

const SERVERS = 10;
const TOOLS = 500;
const SLOWEST = 100;
const FROM_MEMORY = 200;
const FRESH = 20;

/** Lists of ten servers with 50 tools each, and what one that hangs takes from the others. */
export async function measureLists(gatehouse, origin, given) {
  const slow = await openTen(gatehouse, origin, `/slow?delay=${SLOWEST}`);
  const hanging = await openTen(gatehouse, origin, '/hanging?delay=3600000');
  const worker = await openWorker(slow);
  await list(worker, TOOLS);
  const rows = [
    row('from memory', await timesOf(worker, FROM_MEMORY)),
    row(`fresh, less the ${SLOWEST} ms of the slowest server`, await freshTimes(gatehouse, worker)),
  ];
  const late = await openWorker(hanging);
  rows.push(row('one hangs: the first list', [await list(late, TOOLS - 50)]));
  rows.push(row('one hangs: later lists', await timesOf(late, FROM_MEMORY, TOOLS - 50)));
  for (const { connection } of [worker, late]) connection.close();
  const lists = {
    title: `tools/list of ${SERVERS} servers with 50 tools each`,
    ...{ kind: 'plain', columns: ['ms', 'CPU ms'], rows },
  };
  given.settings.report(lists);
  const calls = await measureCell([slow, hanging], 32, {
    ...{ ...given, reference: slow.name },
    operate: async ({ connection, endpoint, sessionId }) => {
      const { bytes, expected } = echoCall(endpoint, sessionId, 'server-0__echo');
      checkText(await connection.exchange(bytes), expected);
    },
  });
  const cell = {
    title: 'tools/call of another server, 32 connections',
    kind: 'calls',
    rows: calls,
  };
  given.settings.report(cell);
  return [lists, cell];
}

/** @param last the path of the tenth server */
async function openTen(gatehouse, origin, last) {
  const servers = Array.from({ length: SERVERS - 1 }, (_, index) => [
    `server-${index}`,
    `/${index}`,
  ]);
  const { applicationId, ids } = await openServers(gatehouse, origin, {
    ...Object.fromEntries(servers),
    last,
  });
  const name = `one URL, of which one server is at ${last}`;
  return { ...gatehouse, name, path: `/mcp/${applicationId}`, ids };
}

/** @returns milliseconds */
async function list({ connection, endpoint, sessionId }, expected) {
  const startedAt = performance.now();
  const { status, body } = await connection.exchange(smallListCall(endpoint, sessionId));
  const took = performance.now() - startedAt;
  const { tools } = JSON.parse(body).result;
  if (status !== 200 || tools.length !== expected) throw new Error(`${tools.length} tools`);
  return took;
}

async function timesOf(worker, count, expected = TOOLS) {
  const before = cpuSecondsOf(worker.endpoint.pid);
  const times = [];
  while (times.length < count) times.push(await list(worker, expected));
  const cpu = ((cpuSecondsOf(worker.endpoint.pid) - before) * 1_000) / count;
  return Object.assign(times, { cpu });
}

/** Other rules make the node read a list again. */
async function freshTimes({ api }, worker) {
  const times = [];
  while (times.length < FRESH) {
    const allow = [`${times.length}-none`, '*'];
    for (const id of Object.values(worker.endpoint.ids)) {
      await api('PUT', `/integrations/${id}/policy`, { tools: { allow } });
    }
    times.push((await list(worker, TOOLS)) - SLOWEST);
  }
  return times;
}

function row(target, times) {
  const one = (value) => value.toFixed(2);
  const text = `${one(spread(times).median)} ms`;
  return { target, text, values: [ranged(spread(times), one), times.cpu?.toFixed(2) ?? ''] };
}
