import { echoCall, modernEchoCall } from '../lib/mcp.mjs';
import { Stage } from '../lib/stage.mjs';
import { measureEras } from './aggregate-eras.mjs';
import { measureLists } from './aggregate-lists.mjs';
import { call, callAsStream, measureCell } from './gateway.mjs';

const PAIR = 'pair URL';

const CELLS = [
  { title: 'tools/call', operate: call(echoCall) },
  { title: 'tools/call of MCP 2026-07-28', operate: call(modernEchoCall) },
  { title: 'tools/call answered as an event stream', operate: callAsStream },
];

const CONNECTIONS = 32;

/** The one URL of an application: its calls beside those of a pair URL at the same server, and its lists. */
export async function measureAggregate({ postgresql, settings }) {
  const stage = new Stage(postgresql);
  await stage.startUpstream();
  const servers = await stage.startServers();
  const cells = [];
  for (const isEmbedded of [false, true]) {
    const gatehouse = await stage.startGatehouse({ isEmbedded });
    const store = isEmbedded ? 'embedded database' : 'PostgreSQL';
    const given = { settings, postgresqlPid: postgresql.pid, reference: PAIR };
    cells.push(...(await measureCalls(gatehouse, store, given)));
    cells.push(...(await measureEras(gatehouse, servers, store, given)));
    if (!isEmbedded) cells.push(...(await measureLists(gatehouse, servers, given)));
    await gatehouse.stop();
  }
  await stage.close();
  return { part: 'aggregate', cells };
}

async function measureCalls(gatehouse, store, given) {
  const [, , applicationId, integrationId] = gatehouse.path.split('/');
  // So that both eras are known.
  await gatehouse.api('POST', `/integrations/${integrationId}/validate`);
  await gatehouse.api('PATCH', `/applications/${applicationId}/integrations/${integrationId}`, {
    alias: '',
  });
  const endpoints = [
    { ...gatehouse, name: PAIR },
    { ...gatehouse, name: 'one URL', path: `/mcp/${applicationId}` },
  ];
  const cells = [];
  for (const { title, operate } of CELLS) {
    const rows = await measureCell(endpoints, CONNECTIONS, { ...given, operate });
    cells.push({
      title: `${title}, ${CONNECTIONS} connections, ${store}`,
      ...{ kind: 'calls', rows, reference: PAIR },
    });
    given.settings.report(cells.at(-1));
  }
  return cells;
}
