import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { findEvents } from '../../audit/find-events.ts';
import { actorOf } from '../../http/context.ts';
import { readFoundPage } from '../../http/cursor.ts';
import type { RouterDeps } from '../router-deps.ts';
import { createReadings } from './readings.ts';
import { requireEvent } from './service.ts';

export function auditEventsRouter({ store, cursors }: RouterDeps) {
  const { noteReading } = createReadings(store);
  return initServer().router(contract.auditEvents, {
    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const { limit: _limit, cursor: _cursor, ...filters } = query;
      await noteReading(actor, filters);
      const scope = { list: 'audit-events', actor, perUser: false, filters };
      const { rows, nextCursor } = await readFoundPage(cursors, scope, query, (page) =>
        findEvents(store.db, actor.organizationId, filters, page),
      );
      return { status: 200, body: { items: rows, nextCursor } };
    },

    get: async ({ params: { id }, res }) => {
      const actor = actorOf(res);
      await noteReading(actor, { event: true });
      return { status: 200, body: { event: await requireEvent(store.db, actor, id) } };
    },
  });
}
