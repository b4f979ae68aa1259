import { echoCall, modernEchoCall } from '../lib/mcp.mjs';
import { Stage } from '../lib/stage.mjs';
import { call, callAsStream, measureCell } from './gateway.mjs';

const PAIR = 'pair URL';

const CELLS = [
  { title: 'tools/call', operate: call(echoCall) },
  { title: 'tools/call of MCP 2026-07-28', operate: call(modernEchoCall) },
  { title: 'tools/call answered as an event stream', operate: callAsStream },
];

const CONNECTIONS = 32;

/** Calls of one tool by the URL of its integration and by the one URL of its application, at the same server. */
export async function measureAggregate({ postgresql, settings }) {
  const stage = new Stage(postgresql);
  await stage.startUpstream();
  const cells = [];
  for (const isEmbedded of [false, true]) {
    const gatehouse = await stage.startGatehouse({ isEmbedded });
    const [, , applicationId, integrationId] = gatehouse.path.split('/');
    await gatehouse.api('PATCH', `/applications/${applicationId}/integrations/${integrationId}`, {
      alias: '',
    });
    const endpoints = [
      { ...gatehouse, name: PAIR },
      { ...gatehouse, name: 'one URL', path: `/mcp/${applicationId}` },
    ];
    for (const { title, operate } of CELLS) {
      const given = { operate, settings, postgresqlPid: postgresql.pid, reference: PAIR };
      const rows = await measureCell(endpoints, CONNECTIONS, given);
      const store = isEmbedded ? 'embedded database' : 'PostgreSQL';
      cells.push({ title: `${title}, ${CONNECTIONS} connections, ${store}`, kind: 'calls', rows });
      settings.report(cells.at(-1));
    }
    await gatehouse.stop();
  }
  await stage.close();
  return { part: 'aggregate', cells };
}
