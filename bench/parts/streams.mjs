import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '../lib/http-client.mjs';
import { echoCall, eventsBytes, streamBytes } from '../lib/mcp.mjs';
import { addPerson } from '../lib/people.mjs';
import { number, ranged } from '../lib/report.mjs';
import { spread } from '../lib/rounds.mjs';
import { PASSTHROUGH, Stage } from '../lib/stage.mjs';
import { residentMegabytesOf } from '../lib/system.mjs';
import { call, openSession, openWorker } from './gateway.mjs';

const STREAMS = 900;
/** Fewer than one person may keep open. */
const STREAMS_OF_PERSON = 60;
const OPENED_AT_ONCE = 8;
const MEASURED_STREAMS = 40;
/** Milliseconds before memory is read, so that the first collections after a burst are over. */
const SETTLE = 5_000;
const REPEATS = 3;

const ONE_URL = 'Gatehouse, one URL';

/** Events must be relayed without delay, and idle streams must cost little memory. */
export async function measureStreams({ postgresql, settings }) {
  const stage = new Stage(postgresql);
  const direct = await stage.startUpstream();
  const delays = [];
  for (const endpoint of [direct, await stage.startPassthrough(), await stage.startGatehouse()]) {
    delays.push(await delaysOf(endpoint));
    if (endpoint !== direct) await endpoint.stop();
  }
  const cells = [
    {
      title: `Delay of ${MEASURED_STREAMS} × 5 events, 40 ms apart, from the upstream's write to the client`,
      kind: 'plain',
      columns: ['first event ms', 'later events ms'],
      rows: delays,
    },
  ];
  const repeats = settings.rounds < REPEATS ? 1 : REPEATS;
  const memory = { [PASSTHROUGH]: [], Gatehouse: [], [ONE_URL]: [] };
  for (let index = 0; index < repeats; index += 1) {
    memory[PASSTHROUGH].push(await memoryOf(await stage.startPassthrough()));
    memory.Gatehouse.push(await memoryOf(await stage.startGatehouse()));
    memory[ONE_URL].push(await memoryOf(await atOneUrl(await stage.startGatehouse())));
  }
  cells.push({
    title: `${number(STREAMS)} idle GET streams, one used session each`,
    kind: 'plain',
    columns: ['KB per stream', 'RSS before MB', 'RSS after MB'],
    rows: Object.entries(memory).map(([target, samples]) => memoryRow(target, samples)),
  });
  await stage.close();
  return { part: 'streams', cells };
}

async function delaysOf(endpoint) {
  const { sessionId, connection } = await openWorker(endpoint);
  connection.close();
  const first = [];
  const later = [];
  for (let index = 0; index < MEASURED_STREAMS; index += 1) {
    const [begin, ...rest] = await eventDelays(endpoint, sessionId);
    first.push(begin);
    later.push(...rest);
  }
  const values = [first, later].map((each) => ranged(spread(each), (ms) => ms.toFixed(2)));
  return { target: endpoint.name, values };
}

async function eventDelays(endpoint, sessionId) {
  const socket = connect({ port: endpoint.port, host: '127.0.0.1', noDelay: true });
  socket.write(eventsBytes(endpoint, sessionId));
  const delays = [];
  for await (const chunk of socket) {
    const now = process.hrtime.bigint();
    const text = chunk.latin1Slice();
    for (const [, sentAt] of text.matchAll(/"sentAt":"(\d+)"/g)) {
      delays.push(Number(now - BigInt(sentAt)) / 1e6);
    }
    if (text.endsWith('0\r\n\r\n')) break;
  }
  if (delays.length !== 5) throw new Error(`Only ${delays.length} of 5 events arrived.`);
  return delays;
}

/** Memory of a fresh process before and after the streams are opened. The process is then stopped. */
async function memoryOf(endpoint) {
  const tokens = await tokensAt(endpoint);
  const warm = await openWorker(endpoint);
  warm.connection.close();
  await delay(SETTLE);
  const before = residentMegabytesOf(endpoint.pid);
  const sockets = [];
  let opening = 0;
  const open = async () => {
    while (opening < STREAMS) {
      const token = tokens[opening % tokens.length];
      opening += 1;
      sockets.push(await openStream({ ...endpoint, token }));
    }
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, open));
  await delay(SETTLE);
  const after = residentMegabytesOf(endpoint.pid);
  const alive = sockets.filter(({ destroyed }) => !destroyed).length;
  const opened = sockets.length;
  for (const socket of sockets) socket.destroy();
  await endpoint.stop();
  if (alive !== opened) throw new Error(`${opened - alive} of ${opened} streams were closed.`);
  return { perStream: ((after - before) * 1000) / opened, before, after };
}

/** Of enough people for the streams; the passthrough has one caller. */
async function tokensAt(endpoint) {
  if (endpoint.api === undefined) return [endpoint.token];
  const people = Array.from({ length: STREAMS / STREAMS_OF_PERSON }, (_, index) => index);
  return Promise.all(people.map((index) => addPerson(endpoint, index)));
}

/** A socket with an event stream in a session of its caller. */
export async function openStream(endpoint) {
  const connection = new Connection(endpoint.port);
  const sessionId = await openSession(connection, endpoint);
  // The one URL begins the session with the upstream, and so its stream, with the first call.
  await call(echoCall)({ endpoint, connection, sessionId });
  connection.close();
  const socket = connect({ port: endpoint.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(streamBytes(endpoint, sessionId));
  const [head] = await once(socket, 'data');
  const text = head.latin1Slice();
  if (!text.startsWith('HTTP/1.1 200 ') || !text.includes('text/event-stream')) {
    throw new Error(`No stream: ${text}`);
  }
  return socket;
}

function memoryRow(target, samples) {
  const of = (field) => spread(samples.map((sample) => sample[field]));
  const values = [
    ranged(of('perStream'), (value) => value.toFixed(1)),
    ranged(of('before'), number),
    ranged(of('after'), number),
  ];
  return { target, samples, values };
}

/** The same server at the one URL of the application, where its tools have their own names. */
async function atOneUrl(gatehouse) {
  const [, , applicationId, integrationId] = gatehouse.path.split('/');
  await gatehouse.api('PATCH', `/applications/${applicationId}/integrations/${integrationId}`, {
    alias: '',
  });
  return { ...gatehouse, name: ONE_URL, path: `/mcp/${applicationId}` };
}
