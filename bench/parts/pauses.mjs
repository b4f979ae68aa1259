import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '../lib/http-client.mjs';
import { check, echoCall } from '../lib/mcp.mjs';
import { ranged } from '../lib/report.mjs';
import { spread } from '../lib/rounds.mjs';
import { Stage } from '../lib/stage.mjs';
import { openSession } from './gateway.mjs';

/** As an agent calls that thinks in between. */
const PAUSE = 10_000;
const CALLS = 12;
const QUICK_CALLS = 3;

/** What the gateway adds to a call of an https upstream after a pause, when connections have had time to be closed. */
export async function measurePauses({ postgresql, settings }) {
  const stage = new Stage(postgresql);
  await stage.startUpstream();
  const direct = await stage.startTlsFront();
  const passthrough = await stage.startPassthrough(direct);
  const gatehouse = await stage.startGatehouse({ upstream: direct });
  const workers = [];
  for (const endpoint of [direct, passthrough, gatehouse]) workers.push(await openWorker(endpoint));
  for (const worker of workers) await call(worker);

  const samples = workers.map(() => []);
  const calls = settings.rounds < CALLS / 2 ? QUICK_CALLS : CALLS;
  for (let index = 0; index < calls; index += 1) {
    for (const [each, worker] of workers.entries()) {
      // One at a time: the second of two calls would find the upstream awake.
      await delay(PAUSE / workers.length);
      samples[each].push(await call(worker));
    }
  }
  for (const { connection } of workers) connection.close();
  await stage.close();

  const added = (each) => samples[each].map((taken, index) => taken - samples[0][index]);
  const row = (target, values) => ({
    target,
    samples: values,
    text: `${spread(values).median.toFixed(2)} ms`,
    values: [ranged(spread(values), (value) => value.toFixed(2))],
  });
  const title = `tools/call of an https upstream every ${PAUSE / 1000} s, ${calls} calls`;
  const rows = [
    row('direct', samples[0]),
    row(passthrough.name, samples[1]),
    row(gatehouse.name, samples[2]),
    row(`added by the ${passthrough.name}`, added(1)),
    row(`added by ${gatehouse.name}`, added(2)),
  ];
  const cells = [{ title, kind: 'plain', columns: ['ms'], rows }];
  settings.report(cells[0]);
  return { part: 'pauses', cells };
}

async function openWorker(endpoint) {
  const connection = new Connection(endpoint.port, endpoint.ca);
  return { endpoint, connection, sessionId: await openSession(connection, endpoint) };
}

/** @returns milliseconds */
async function call({ endpoint, connection, sessionId }) {
  const { bytes, expected } = echoCall(endpoint, sessionId);
  const startedAt = performance.now();
  const { status, body } = await connection.exchange(bytes);
  const took = performance.now() - startedAt;
  check({ status, body }, expected);
  return took;
}
