import { checkText, echoCall, modernEchoCall } from '../lib/mcp.mjs';
import { openServers } from '../lib/small-servers.mjs';
import { measureCell } from './gateway.mjs';

const CONNECTIONS = 32;

const CELLS = [
  { title: 'legacy client, modern server', make: echoCall, tool: 'new__echo' },
  { title: 'modern client, legacy server', make: modernEchoCall, tool: 'old__echo' },
];

/** Calls between two eras by the one URL, beside those in one era by a pair URL. */
export async function measureEras(gatehouse, servers, store, given) {
  const { applicationId, ids } = await openServers(gatehouse, servers, {
    ...{ both: '/both', old: '/old?era=legacy', new: '/new?era=modern' },
  });
  const path = `/mcp/${applicationId}`;
  const cells = [];
  for (const { title, make, tool } of CELLS) {
    const endpoints = [
      { ...gatehouse, name: given.reference, path: `${path}/${ids.both}`, tool: 'echo' },
      { ...gatehouse, name: 'one URL', path, tool },
    ];
    const rows = await measureCell(endpoints, CONNECTIONS, { ...given, operate: call(make) });
    cells.push({
      title: `tools/call, ${title}, ${CONNECTIONS} connections, ${store}`,
      ...{ kind: 'calls', rows, reference: given.reference },
    });
    given.settings.report(cells.at(-1));
  }
  return cells;
}

const call =
  (make) =>
  async ({ connection, endpoint, sessionId }) => {
    const { bytes, expected } = make(endpoint, sessionId, endpoint.tool);
    checkText(await connection.exchange(bytes), expected);
  };
