import { echoCall, HALF, listCall } from '../lib/mcp.mjs';
import { Stage } from '../lib/stage.mjs';
import { call, measureCell } from './gateway.mjs';

const RULES = 'Gatehouse, with rules about names';

const CELLS = [
  { title: 'tools/call, 32 connections', connections: 32, operate: call(echoCall) },
  {
    title: 'tools/list of 2,000 tools (2.8 MB), 4 connections',
    connections: 4,
    operate: call(listCall),
  },
];

/** Calls under rules about names, as ratios to calls without rules. */
export async function measurePolicy({ postgresql, settings }) {
  const stage = new Stage(postgresql);
  const direct = await stage.startUpstream();
  const plain = await stage.startGatehouse({ isEmbedded: true });
  const ruled = {
    ...(await stage.startGatehouse({ isEmbedded: true })),
    name: RULES,
    isHalf: true,
  };
  await setRules(ruled);
  const cells = [];
  for (const { title, connections, operate } of CELLS) {
    const rows = await measureCell([direct, plain, ruled], connections, {
      operate,
      settings: { ...settings, warmUpCount: 300 },
      postgresqlPid: postgresql.pid,
      reference: plain.name,
    });
    cells.push({ title, kind: 'calls', rows });
    settings.report(cells.at(-1));
  }
  await stage.close();
  return { part: 'policy', cells };
}

function setRules({ api, path }) {
  return api('PUT', `/integrations/${path.split('/').at(-1)}/policy`, HALF);
}
