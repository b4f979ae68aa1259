import { deepStrictEqual } from 'node:assert';
import { bundleTarget } from '../lib/bundle.mjs';
import { copyServer, startGatehouse } from '../lib/gatehouse.mjs';
import { Connection, requestBytes } from '../lib/http-client.mjs';
import { freePort, startNode, stop, untilReady } from '../lib/processes.mjs';
import { interleave } from '../lib/rounds.mjs';
import { OTHER_CHECKOUT } from '../lib/stage.mjs';

const BASELINE = 'bare Express + Prisma';
const GATEHOUSE = 'Gatehouse';
const UNCHECKED = 'Gatehouse, responses not validated';
const ROWS = 1_000;
const CONNECTIONS = 16;

/** The management API compared with a handler that only makes the same statements. On PostgreSQL. */
export async function measureRest({ postgresql, against, settings }) {
  const databaseUrl = await postgresql.createDatabase();
  const gatehouse = await startGatehouse({ main: copyServer('server'), databaseUrl });
  const unchecked = await startGatehouse({
    main: copyServer('server-unchecked', {
      patch: ['responseValidation: true', 'responseValidation: false'],
    }),
    databaseUrl,
  });
  const baseline = await startBaseline(databaseUrl, gatehouse.token);
  const ids = await seed(gatehouse);
  const targets = [
    { ...baseline, name: BASELINE },
    { ...gatehouse, name: GATEHOUSE },
    { ...unchecked, name: UNCHECKED },
  ];
  if (against !== undefined) {
    const main = copyServer('server-other', { checkout: against });
    const other = await startGatehouse({ main, databaseUrl });
    targets.push({ ...other, name: GATEHOUSE + OTHER_CHECKOUT });
  }
  await compareResponses(targets, ids);
  const notes = [await compareStatements(postgresql, targets, ids)];

  const cells = [];
  for (const [title, operate] of Object.entries(operationsOn(ids))) {
    for (const connections of [CONNECTIONS, 1]) {
      const label = connections === 1 ? 'one connection' : `${connections} connections`;
      cells.push({
        title: `REST ${title}, ${label}`,
        kind: 'calls',
        reference: 'bare handler',
        rows: await measure(targets, { operate, connections, settings, postgresql }),
      });
      settings.report(cells.at(-1));
    }
  }
  for (const target of targets) await target.stop();
  return { part: 'rest', cells, notes };
}

async function measure(targets, { operate, connections, settings, postgresql }) {
  const measured = targets.map((target) => ({
    ...target,
    workers: Array.from({ length: connections }, () => ({
      connection: new Connection(target.port),
      token: target.token,
    })),
  }));
  const rows = await interleave({
    targets: measured,
    operate,
    settings,
    postgresqlPid: postgresql.pid,
    reference: BASELINE,
  });
  for (const { workers } of measured) for (const { connection } of workers) connection.close();
  return rows;
}

async function startBaseline(databaseUrl, token) {
  const port = await freePort();
  const child = startNode(await bundleTarget('rest-baseline'), {
    args: [String(port), databaseUrl],
  });
  await untilReady(child, `http://127.0.0.1:${port}/readyz`);
  return { pid: child.pid, port, token, stop: () => stop(child) };
}

async function seed({ api }) {
  const ids = [];
  for (let index = 0; index < ROWS; index += 1) {
    const { integration } = await api('POST', '/integrations', newIntegration());
    ids.push(integration.id);
  }
  return ids;
}

let created = 0;
function newIntegration() {
  created += 1;
  return { name: `Integration ${created}`, url: `https://mcp${created}.example.com/mcp` };
}

function operationsOn(ids) {
  let turn = 0;
  return {
    get: async ({ connection, token }) => {
      turn = (turn + 7) % ids.length;
      const id = ids[turn];
      const { integration } = await send(connection, token, 'GET', `/integrations/${id}`);
      if (integration.id !== id) throw new Error(`Got ${integration.id}`);
    },
    'list of 50': async ({ connection, token }) => {
      const { items } = await send(connection, token, 'GET', '/integrations?limit=50');
      if (items.length !== 50) throw new Error(`Got ${items.length} items`);
    },
    create: async ({ connection, token }) => {
      const body = newIntegration();
      const { integration } = await send(connection, token, 'POST', '/integrations', body);
      if (integration.name !== body.name) throw new Error(`Got ${integration.name}`);
    },
  };
}

async function send(connection, token, method, path, body) {
  const headers = [`Authorization: Bearer ${token}`];
  const text = body && JSON.stringify(body);
  const bytes = requestBytes(method, `/api/v1${path}`, headers, text);
  const { status, body: received } = await connection.exchange(bytes);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${received}`);
  return JSON.parse(received);
}

/** The handlers are comparable only if their responses are the same. */
async function compareResponses(targets, ids) {
  const responses = [];
  for (const { port, token } of targets) {
    const connection = new Connection(port);
    const one = await send(connection, token, 'GET', `/integrations/${ids[0]}`);
    const { items } = await send(connection, token, 'GET', '/integrations?limit=50');
    responses.push({ one, items });
    connection.close();
  }
  for (const response of responses) deepStrictEqual(response, responses[0]);
}

/** And only if they send the same statements, which only our own cluster's log shows. */
async function compareStatements(postgresql, [baseline, gatehouse], ids) {
  if (postgresql.logFile === undefined)
    return 'The SQL statements were not compared, because the log of PostgreSQL is not available.';
  const counts = [];
  for (const [title, operate] of Object.entries(operationsOn(ids))) {
    const statements = [];
    for (const { port, token } of [baseline, gatehouse]) {
      const connection = new Connection(port);
      const log = await postgresql.statementsDuring(() => operate({ connection, token }));
      connection.close();
      statements.push(statementsIn(log));
    }
    deepStrictEqual(statements[1], statements[0], `Different SQL for ${title}`);
    counts.push(`${title} ${statements[0].length}`);
  }
  return `Both handlers sent the same statements, according to the log of PostgreSQL: ${counts.join(', ')}.`;
}

/** The statements of a request. Round trips of the listening connection and batched writes do not count. */
function statementsIn(log) {
  return (
    [...log.matchAll(/^(?:baseline|gatehouse)\|LOG: {2}(?:execute [^:]*|statement): (.*)$/gm)]
      .map(([, sql = '']) => sql.trim())
      .filter((sql) => /"public"|^(?:BEGIN|COMMIT)/.test(sql))
      // Prisma reads related rows concurrently, in no fixed order.
      .sort()
  );
}
