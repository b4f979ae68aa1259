import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { readVerification } from '../../audit/daily-verification.ts';
import { findEvents } from '../../audit/find-events.ts';
import { actorOf } from '../../http/context.ts';
import { readFoundPage } from '../../http/cursor.ts';
import { streamLines } from '../../http/stream-lines.ts';
import { timeOfId } from '../../platform/ids.ts';
import type { RouterDeps } from '../router-deps.ts';
import { createExports } from './exports.ts';
import { createReadings } from './readings.ts';
import { requireEvent } from './service.ts';

export function auditEventsRouter(deps: RouterDeps) {
  const { store, cursors, log } = deps;
  const { version } = deps.installation;
  const { noteReading } = createReadings(store);
  const exports = createExports({ ...deps, version });
  return initServer().router(contract.auditEvents, {
    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const { limit: _limit, cursor: _cursor, ...filters } = query;
      await noteReading(actor, filters);
      const scope = { list: 'audit-events', actor, perUser: false, filters };
      const { rows, nextCursor, lastId } = await readFoundPage(cursors, scope, query, (page) =>
        findEvents(store.db, actor.organizationId, filters, page),
      );
      const reachedAt = lastId === null ? null : new Date(timeOfId(lastId)).toISOString();
      return { status: 200, body: { items: rows, nextCursor, reachedAt } };
    },

    export: async ({ query, res }) => {
      const begun = await exports.begin(actorOf(res), query);
      return { status: 200, body: streamLines(res, begun, log) };
    },

    verification: async () => ({
      status: 200,
      body: { verification: await readVerification(store.db) },
    }),

    get: async ({ params: { id }, res }) => {
      const actor = actorOf(res);
      await noteReading(actor, { event: true });
      return { status: 200, body: { event: await requireEvent(store.db, actor, id) } };
    },
  });
}
