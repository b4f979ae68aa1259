import { contract, limits, type Overview } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import type { RouterDeps } from '../router-deps.ts';
import type { EndingRow } from './attention-repository.ts';
import { type OverviewRows, readOverview } from './service.ts';

export function overviewRouter({ store, sessions }: RouterDeps) {
  return initServer().router(contract.overview, {
    get: async ({ res }) => {
      const overview = await readOverview(store.db, sessions, actorOf(res));
      return { status: 200, body: { overview: presentOverview(overview) } };
    },
  });
}

function presentOverview(rows: OverviewRows): Overview {
  const { integrations, applications, sessions, own } = rows;
  return {
    firstCallAt: applications.firstCallAt?.toISOString() ?? null,
    integrations: { ...integrations },
    applications: { total: applications.total, inUse: sessions.inUse },
    sessions: { active: sessions.active, total: applications.sessions },
    connections: own.connected,
    attention: {
      invalidIntegrations: needsOf(rows.invalid, ({ id, name, message }) => ({
        id,
        name,
        message,
      })),
      connections: {
        total: own.toRenew.length,
        items: own.toRenew.slice(0, limits.namedRows).map((each) => ({ ...each })),
      },
      certificates: needsOf(rows.certificates, presentEnding),
      tokens: needsOf(rows.tokens, presentEnding),
      changedTools: needsOf(rows.changedTools, ({ id, name, toolCount, toolNames }) => ({
        id,
        name,
        toolCount,
        toolNames,
      })),
    },
  };
}

/** Each row has the number of all. */
function needsOf<Row extends { readonly total: number }, Item>(
  rows: readonly Row[],
  present: (row: Row) => Item,
): { total: number; items: Item[] } {
  return { total: rows[0]?.total ?? 0, items: rows.map(present) };
}

function presentEnding({ id, name, expiresAt }: EndingRow) {
  return { id, name, expiresAt: expiresAt.toISOString() };
}
