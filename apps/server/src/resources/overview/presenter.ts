import { limits, type Overview } from '@gatehouse/contract';
import type { EndingRow } from './attention-repository.ts';
import type { OverviewRows } from './service.ts';

export function presentOverview(rows: OverviewRows): Overview {
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
