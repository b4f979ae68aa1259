import type { Contract } from '@gatehouse/contract';
import { exportOf, matches } from '../events/audit-events.ts';
import { noteReading } from '../events/readings.ts';
import { actorOf, record } from '../events/record.ts';
import type { Operations } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/refusal.ts';
import { timeOfId } from '../state/ids.ts';

export const auditEvents: Operations<Contract['auditEvents']> = {
  list: {
    act(call) {
      const { state, actor, query } = call;
      const { limit: _limit, cursor: _cursor, ...filters } = query;
      noteReading(call, filters);
      const { organizationId } = actor;
      const found = [...state.auditEvents.values()]
        .filter((row) => row.organizationId === organizationId && matches(row, query))
        .map(({ event }) => event);
      const scope = { list: 'audit-events', organizationId, filters };
      const { rows, nextCursor } = readPage(state, scope, query, found);
      const last = nextCursor === null ? undefined : rows.at(-1);
      const reachedAt = last ? new Date(timeOfId(last.id)).toISOString() : null;
      return { status: 200, body: { items: rows, nextCursor, reachedAt } };
    },
  },

  export: {
    act(call) {
      const { state, actor, query } = call;
      const targetId = actor.organizationId;
      record(state, { action: 'audit.exported', actor: actorOf(call), targetId });
      return { status: 200, body: exportOf(call, query) };
    },
  },

  verification: {
    act: ({ state }) => ({ status: 200, body: { verification: state.auditVerification } }),
  },

  get: {
    act(call) {
      const { state, actor, params } = call;
      noteReading(call, { event: true });
      const row = state.auditEvents.get(params.id);
      if (row?.organizationId === actor.organizationId) {
        return { status: 200, body: { event: row.event } };
      }
      throw new Refusal('not_found', 'There is no such event.');
    },
  },
};
