import { setTimeout as delay } from 'node:timers/promises';
import { echoCall, modernEchoCall } from '../lib/mcp.mjs';
import { Stage } from '../lib/stage.mjs';
import { call, callAsStream, measureCell } from './gateway.mjs';

const CELLS = [
  { title: 'tools/call', operate: call(echoCall) },
  { title: 'tools/call of MCP 2026-07-28', operate: call(modernEchoCall) },
  { title: 'tools/call answered as an event stream', operate: callAsStream },
];

/** The largest there are. A cell calls less often within its minute, so that each call is counted and goes through. */
const LIMITS = { perMinute: 100_000, concurrent: 1_000 };
const MINUTE = 60_000;
/** Seconds of one target in a cell. */
const WARM_UP = 1.2;
const MEASURED = 4;

const CONNECTIONS = 32;
const OFF = 'audit of calls off';

/** Calls that the audit has, as ratios to calls that it does not have. Usage counts all of them. */
export async function measureAudit({ postgresql, settings }) {
  const cells = [];
  for (const isEmbedded of [false, true]) {
    const stage = new Stage(postgresql);
    await stage.startUpstream();
    const start = async (name, auditCalls) => ({
      ...(await stage.startGatehouse({ isEmbedded, env: { GATEHOUSE_AUDIT_CALLS: auditCalls } })),
      name,
    });
    const limited = await start('behind, with limits', 'behind');
    await setLimits(limited);
    const endpoints = [
      await start(OFF, 'off'),
      await start('behind', 'behind'),
      limited,
      await start('sync', 'sync'),
    ];
    for (const { title, operate } of CELLS) {
      await delay(MINUTE - (Date.now() % MINUTE) + 500);
      const shortened = withinOneMinute(settings);
      const context = { postgresql, settings: shortened, title, isEmbedded };
      cells.push(await measure(endpoints, operate, context));
      settings.report(cells.at(-1));
    }
    await stage.close();
  }
  return { part: 'audit', cells };
}

async function measure(endpoints, operate, { postgresql, settings, title, isEmbedded }) {
  const given = { operate, settings, postgresqlPid: postgresql.pid, reference: OFF };
  const rows = await measureCell(endpoints, CONNECTIONS, given);
  const store = isEmbedded ? 'embedded database' : 'PostgreSQL';
  return { title: `${title}, ${CONNECTIONS} connections, ${store}`, kind: 'calls', rows };
}

function setLimits({ api, path }) {
  const [, , applicationId] = path.split('/');
  return api('PATCH', `/applications/${applicationId}`, { limits: LIMITS });
}

function withinOneMinute(settings) {
  const seconds = Math.min(settings.seconds, MEASURED / settings.rounds);
  return { ...settings, seconds, warmUp: Math.min(settings.warmUp, WARM_UP) };
}
