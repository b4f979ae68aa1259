import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { copyServer, newDataDirectory, openRoute, startGatehouse } from '../lib/gatehouse.mjs';
import { Connection, requestBytes } from '../lib/http-client.mjs';
import { number, ranged } from '../lib/report.mjs';
import { spread } from '../lib/rounds.mjs';

const CALLS = 1_000_000;
const IN_BATCH = 50;
const CONNECTIONS = 8;
const REPEATS = 9;

const APPLICATIONS = 400;
const INTEGRATIONS = 200;
/** Of each integration. */
const TOOLS = 20;

/** A million calls in the audit of an embedded database, and a month of usage of a large organization on both stores. */
export async function measureMillion({ postgresql }) {
  const main = copyServer('server');
  const dataDirectory = newDataDirectory();
  const gatehouse = await startGatehouse({ main, dataDirectory });
  const before = megabytesIn(dataDirectory);
  await callRefused(gatehouse);
  const rows = [{ target: 'size, MB', values: [number(megabytesIn(dataDirectory) - before)] }];
  const { user } = await gatehouse.api('GET', '/me');
  const end = new Date().toISOString();
  for (const [target, query] of [
    ['a page at the newest end', ''],
    ['a page of a person', `&userId=${user.id}`],
    ['a page at the oldest end', `&to=${new Date(Date.parse(end) - 3_600_000).toISOString()}`],
    ['a page of another person', '&userId=00000000-0000-7000-8000-000000000000'],
  ]) {
    rows.push({
      target: `${target}, ms`,
      values: [await timed(gatehouse, `/audit-events?kind=call&limit=100${query}`)],
    });
  }
  await gatehouse.stop();
  rows.push({ target: '`audit verify`, s', values: [await verify(main, dataDirectory)] });
  rows.push({
    target: 'a month of usage by tool, embedded, ms',
    values: [await usage(() => fillEmbedded(dataDirectory), { main, dataDirectory })],
  });
  const databaseUrl = await postgresql.createDatabase();
  const query = (sql) => postgresql.query(sql, databaseUrl);
  rows.push({
    target: 'a month of usage by tool, PostgreSQL, ms',
    values: [await usage(() => fill(query), { main, databaseUrl })],
  });
  const title = `${number(CALLS)} calls in the audit; usage of ${APPLICATIONS} applications and ${INTEGRATIONS} integrations`;
  return { part: 'million', cells: [{ title, kind: 'plain', columns: ['value'], rows }] };
}

/** Calls that a rule refuses, which go nowhere, each a message of a batch. */
async function callRefused(gatehouse) {
  const path = await openRoute(gatehouse, { port: 9, token: 'none' });
  const integrationId = path.split('/').at(-1);
  await gatehouse.api('PUT', `/integrations/${integrationId}/policy`, { tools: { deny: ['*'] } });
  const batch = Array.from({ length: IN_BATCH }, (_, id) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name: `tool-${id}` } },
  }));
  const headers = [
    `Authorization: Bearer ${gatehouse.token}`,
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2025-03-26',
  ];
  const bytes = requestBytes('POST', path, headers, JSON.stringify(batch));
  let left = CALLS / IN_BATCH;
  const worker = async () => {
    const connection = new Connection(gatehouse.port);
    while (left > 0) {
      left -= 1;
      const { status } = await connection.exchange(bytes);
      if (status !== 200) throw new Error(`A batch was answered with ${status}.`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  await new Promise((resolve) => setTimeout(resolve, 3_000));
}

async function timed({ api }, path) {
  const milliseconds = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const began = performance.now();
    await api('GET', path);
    milliseconds.push(performance.now() - began);
  }
  return ranged(spread(milliseconds), number);
}

async function verify(main, dataDirectory) {
  const began = performance.now();
  const child = spawn(process.execPath, [main, 'audit', 'verify'], {
    env: { ...process.env, GATEHOUSE_DATA_DIR: dataDirectory },
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`verify ended with ${code}.`);
  return number((performance.now() - began) / 1000);
}

/** @param fillIn makes the rows, while no server runs */
async function usage(fillIn, options) {
  await (await startGatehouse(options)).stop();
  await fillIn();
  const gatehouse = await startGatehouse(options);
  const to = new Date();
  to.setUTCHours(0, 0, 0, 0);
  const from = new Date(to.getTime() - 30 * 86_400_000);
  const query = `from=${from.toISOString()}&to=${to.toISOString()}&step=day&groupBy=tool`;
  const milliseconds = await timed(gatehouse, `/usage?${query}`);
  await gatehouse.stop();
  return milliseconds;
}

async function fillEmbedded(dataDirectory) {
  const require = createRequire(new URL('../../apps/server/package.json', import.meta.url));
  const { PGlite } = await import(require.resolve('@electric-sql/pglite'));
  const database = await PGlite.create(join(dataDirectory, 'database'));
  await fill((sql) => database.exec(sql));
  await database.close();
}

/** Each application calls a tool of 20 integrations on each of 30 days, and each tool has its sum. */
async function fill(query) {
  const columns = `"organizationId", "applicationId", "integrationId", "tool", "userId", "at", "calls", "refusals",
    "errors", "upstreamErrors", "bytesIn", "bytesOut", "latency"`;
  const counts = `1000, 1, 1, 1, 100000, 300000, ARRAY[0,0,500,400,90,10,0,0,0,0,0,0]`;
  const nil = `'00000000-0000-0000-0000-000000000000'::uuid`;
  const id = (kind, n) => `('00000000-0000-7000-8${kind}00-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  const days = `generate_series(1, 30) day`;
  const at = `date_trunc('day', now(), 'UTC') - day * interval '1 day'`;
  await query(`INSERT INTO "UsageDay" (${columns})
    SELECT o."id", ${id(1, 'a')}, ${id(2, `(a + t) % ${INTEGRATIONS}`)}, 'tool-' || (a + t) % ${INTEGRATIONS} || '-' || t, ${id(3, 'a')}, ${at}, ${counts}
    FROM "Organization" o, generate_series(1, ${APPLICATIONS}) a, generate_series(1, 20) t, ${days}`);
  await query(`INSERT INTO "UsageDay" (${columns})
    SELECT o."id", ${nil}, ${id(2, 'i')}, 'tool-' || i || '-' || t, ${nil}, ${at}, ${counts}
    FROM "Organization" o, generate_series(1, ${INTEGRATIONS}) i, generate_series(1, ${TOOLS}) t, ${days}`);
  await query('ANALYZE "UsageDay"');
}

function megabytesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const bytes = files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return bytes.reduce((sum, size) => sum + size, 0) / 1e6;
}
