import { Connection, headerOf } from '../lib/http-client.mjs';
import {
  blobCall,
  check,
  deleteBytes,
  echoCall,
  initializeBytes,
  initializedBytes,
  modernEchoCall,
  swallowCall,
  swallowRowsCall,
} from '../lib/mcp.mjs';
import { interleave } from '../lib/rounds.mjs';
import { PASSTHROUGH, Stage } from '../lib/stage.mjs';

/** One connection to an endpoint, with its own session. */
export async function openWorker(endpoint) {
  const connection = new Connection(endpoint.port);
  return { endpoint, connection, sessionId: await openSession(connection, endpoint) };
}

export async function openSession(connection, endpoint) {
  const { status, head } = await connection.exchange(initializeBytes(endpoint));
  const sessionId = headerOf(head, 'mcp-session-id');
  if (status !== 200 || sessionId === undefined) throw new Error(`No session: ${head}`);
  return sessionId;
}

export const call = (make) => async (worker) => {
  const { bytes, expected } = make(worker.endpoint, worker.sessionId);
  const { status, body } = await worker.connection.exchange(bytes);
  check({ status, body }, expected);
};

export const callAsStream = async (worker) => {
  const { bytes, expected } = echoCall(worker.endpoint, worker.sessionId, 'echo-sse');
  check(await worker.connection.exchange(bytes), `data: ${expected}\n\n`);
};

const wholeSession = async ({ connection, endpoint }) => {
  const sessionId = await openSession(connection, endpoint);
  const { status } = await connection.exchange(initializedBytes(endpoint, sessionId));
  if (status !== 202) throw new Error(`initialized: ${status}`);
  const { bytes, expected } = echoCall(endpoint, sessionId);
  check(await connection.exchange(bytes), expected);
  const ended = await connection.exchange(deleteBytes(endpoint, sessionId));
  if (ended.status !== 204) throw new Error(`DELETE: ${ended.status}`);
};

const CELLS = {
  gateway: [
    { title: 'tools/call, 32 connections', connections: 32, operate: call(echoCall) },
    {
      title: 'tools/call of MCP 2026-07-28, 32 connections',
      connections: 32,
      operate: call(modernEchoCall),
    },
    {
      title: 'tools/call answered as an event stream, 32 connections',
      connections: 32,
      operate: callAsStream,
    },
    { title: 'tools/call, one connection', connections: 1, operate: call(echoCall) },
  ],
  sessions: [
    {
      title: 'Whole sessions (initialize, initialized, call, DELETE), 8 connections',
      connections: 8,
      operate: wholeSession,
    },
  ],
  payloads: [
    { title: 'Results of 1 MiB, 4 connections', connections: 4, operate: call(blobCall) },
    { title: 'Arguments of 1 MiB, 4 connections', connections: 4, operate: call(swallowCall) },
    {
      title: 'Arguments of 1 MiB in small objects, 4 connections',
      connections: 4,
      operate: call(swallowRowsCall),
    },
  ],
};

/** Fewer unrecorded calls for the cells of 1 MiB, because each takes long. */
const PAYLOAD_WARM_UP = 300;

/** Measures one operation at each endpoint, with as many connections, in the same rounds. */
export async function measureCell(endpoints, connections, given) {
  const targets = [];
  for (const endpoint of endpoints) {
    const workers = [];
    while (workers.length < connections) workers.push(await openWorker(endpoint));
    targets.push({ ...endpoint, workers });
  }
  const rows = await interleave({ targets, ...given });
  for (const { workers } of targets) for (const { connection } of workers) connection.close();
  return rows;
}

/** Calls through the gateway. `part` is one of the names above. */
export async function measureCalls(part, { postgresql, against, settings: given }) {
  const settings = part === 'payloads' ? { ...given, warmUpCount: PAYLOAD_WARM_UP } : given;
  const stage = new Stage(postgresql);
  const endpoints = [await stage.startUpstream(), await stage.startPassthrough()];
  for (const checkout of against === undefined ? [undefined] : [undefined, against]) {
    endpoints.push(await stage.startGatehouse({ checkout }));
    if (part !== 'payloads')
      endpoints.push(await stage.startGatehouse({ isEmbedded: true, checkout }));
  }
  const cells = [];
  for (const { title, connections, operate } of CELLS[part]) {
    const given = { operate, settings, postgresqlPid: postgresql.pid, reference: PASSTHROUGH };
    const rows = await measureCell(endpoints, connections, given);
    cells.push({ title, kind: 'calls', rows });
    settings.report(cells.at(-1));
  }
  const { authorized, refused } = await stage.counts();
  await stage.close();
  if (refused > 0)
    throw new Error(`${refused} requests reached the upstream without its bearer token.`);
  return { part, cells, upstreamRequests: authorized };
}
