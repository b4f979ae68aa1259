import { deepStrictEqual } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepareClients, sizeOfClient, startClient, versionsOfClients } from '../lib/clients.mjs';
import { copyServer, newDataDirectory, startGatehouse } from '../lib/gatehouse.mjs';
import { Connection, requestBytes } from '../lib/http-client.mjs';
import { freePort, ownPids, startNode, stop } from '../lib/processes.mjs';
import { number } from '../lib/report.mjs';
import { interleave } from '../lib/rounds.mjs';
import { CORES, cpuSecondsOf, machineCpuSeconds } from '../lib/system.mjs';

const ROWS = 20;
const IN_FLIGHT = [1, 16];
const BARE = 'bare fetch';

/** By file of `targets/clients`: the name of the client, and its defaults. */
const CLIENTS = {
  fetch: { name: BARE, retries: 'none', timeout: 'none', errors: 'none' },
  sdk: {
    name: 'SDK',
    retries: '2, full jitter, Retry-After; POST by idempotency key',
    timeout: '30 s an attempt, its body included',
    errors: 'a class per status, `code`, `problem`',
  },
  'sdk-validating': { name: 'SDK, validating', sameAs: 'sdk', errors: 'and unexpected bodies' },
  'openapi-fetch': {
    name: 'openapi-fetch',
    retries: 'none',
    timeout: 'none',
    errors: 'returned, typed by the document',
  },
  ky: {
    name: 'ky',
    retries: '2, no jitter, Retry-After; POST never',
    timeout: '10 s an attempt, its body 10 s more',
    errors: '`HTTPError` with untyped `data`',
  },
  'ts-rest': {
    name: 'ts-rest',
    retries: 'none',
    timeout: 'none',
    errors: 'returned, typed by the contract',
  },
  'ts-rest-validating': {
    name: 'ts-rest, validating',
    sameAs: 'ts-rest',
    errors: 'and unexpected bodies',
  },
};

/** What a call costs in the process that makes it, for each client. */
export async function measureSdk({ settings }) {
  prepareClients();
  const { token, recordings, items } = await record();
  const server = await startReplay(token, recordings);
  const args = [`${server.origin}/api/v1`, token, JSON.stringify(items)];
  const clients = [];
  for (const [file, { name }] of Object.entries(CLIENTS)) {
    clients.push({ ...(await startClient(file, args)), name });
  }
  await compareResults(clients);

  const cells = [];
  for (const operation of ['get', 'list']) {
    for (const inFlight of IN_FLIGHT) {
      const what = operation === 'get' ? 'get of one integration' : `list of ${ROWS}`;
      cells.push({
        title: `Clients, ${what}, ${inFlight} in flight`,
        kind: 'clients',
        reference: BARE,
        rows: await interleave({
          targets: clients,
          settings,
          reference: BARE,
          measure: (client, seconds, atLeast) =>
            measureClient(client, { operation, inFlight, seconds, atLeast: atLeast ?? 1 }),
        }),
      });
      settings.report(cells.at(-1));
    }
  }
  for (const client of [...clients, server]) await client.stop();
  cells.push(await sizes());
  return { part: 'sdk', cells, notes: [`${NOTE} ${versionsOfClients().join(', ')}.`] };
}

const NOTE =
  'Every client has its own process and calls a server that replays, byte for byte, what Gatehouse responded. The CPU is that of the client. Every response was checked, and one per client in full.';

/** Responses of a real Gatehouse, head and body, by path. */
async function record() {
  const gatehouse = await startGatehouse({
    main: copyServer('server-recorded'),
    dataDirectory: newDataDirectory(),
  });
  for (let index = 1; index <= ROWS; index += 1) {
    const url = `https://mcp${index}.example.com/mcp`;
    await gatehouse.api('POST', '/integrations', { name: `Integration ${index}`, url });
  }
  const connection = new Connection(gatehouse.port);
  const recordings = {};
  const read = async (path) => {
    const bytes = requestBytes('GET', path, [`Authorization: Bearer ${gatehouse.token}`]);
    const { status, head, body } = await connection.exchange(bytes);
    if (status !== 200) throw new Error(`${path}: ${head}`);
    recordings[path] = `${head}\r\n\r\n${body}`;
    return JSON.parse(body);
  };
  const { items } = await read(`/api/v1/integrations?limit=${ROWS}`);
  for (const { id } of items) await read(`/api/v1/integrations/${id}`);
  connection.close();
  await gatehouse.stop();
  return { token: gatehouse.token, recordings, items };
}

async function startReplay(token, recordings) {
  const port = await freePort();
  const file = `${newDataDirectory()}/recordings.json`;
  writeFileSync(file, JSON.stringify(recordings));
  const child = startNode(fileURLToPath(new URL('../targets/replay.mjs', import.meta.url)), {
    args: [String(port), token, file],
    hasIpc: true,
  });
  await new Promise((resolve) => child.once('message', resolve));
  return { origin: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

/** The clients are comparable only if they return the same. */
async function compareResults(clients) {
  for (const operation of ['get', 'list']) {
    const expected = await clients[0].request({ operation, once: true });
    for (const client of clients) {
      deepStrictEqual(await client.request({ operation, once: true }), expected, client.name);
    }
  }
}

async function measureClient(client, load) {
  const own = () => ownPids().reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const before = machineCpuSeconds() - own();
  const { elapsed, ...run } = await client.request(load);
  const foreign = machineCpuSeconds() - own() - before;
  return { ...run, postgresqlCpu: 0, foreign: Math.max(0, foreign) / (elapsed * CORES) };
}

async function sizes() {
  const rows = [];
  for (const [file, { name, sameAs, errors, ...own }] of Object.entries(CLIENTS)) {
    const { retries, timeout } = sameAs ? CLIENTS[sameAs] : own;
    const { minified, gzip } = await sizeOfClient(file);
    rows.push({ target: name, values: [number(minified), number(gzip), retries, timeout, errors] });
  }
  const columns = ['minified', 'gzip', 'retries', 'timeout', 'errors by type'];
  return { title: 'Clients, bytes of one list call, and defaults', kind: 'plain', columns, rows };
}
