import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { LRUCache } from 'lru-cache';
import { readVerification } from '../../audit/daily-verification.ts';
import type { AuditEvent } from '../../audit/event.ts';
import { findEvent, findEvents } from '../../audit/find-events.ts';
import { actorOf } from '../../http/context.ts';
import { readFoundPage } from '../../http/cursor.ts';
import { streamLines } from '../../http/stream-lines.ts';
import { actorOfCaller, type PersonCaller } from '../../identity/caller.ts';
import type { Db, Store } from '../../platform/database/store.ts';
import { timeOfId } from '../../platform/ids.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { RouterDeps } from '../router-deps.ts';
import { createExports } from './exports.ts';

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

/** @throws ProblemError `not_found` */
async function requireEvent(
  db: Db,
  { organizationId }: PersonCaller,
  id: string,
): Promise<AuditEvent> {
  const event = await findEvent(db, organizationId, id);
  if (event !== undefined) return event;
  throw new ProblemError('not_found', 'There is no such event.');
}

/** Milliseconds in which a reader who follows a list leaves one event. */
const ONCE_IN = 10 * 60_000;

const MAX_READINGS = 10_000;

type Filter = Readonly<Record<string, unknown>>;

interface Readings {
  /** Records that a person reads the audit with this filter, unless that is recorded already. */
  noteReading(reader: PersonCaller, filter: Filter): Promise<void>;
}

function createReadings(store: Store): Readings {
  const noted = new LRUCache<string, true>({ max: MAX_READINGS, ttl: ONCE_IN });
  return {
    async noteReading(reader, filter) {
      const key = JSON.stringify([reader.userId, filter]);
      if (noted.has(key)) return;
      const actor = actorOfCaller(reader);
      const fields = Object.entries(filter).flatMap(([name, value]) =>
        value === undefined ? [] : [name],
      );
      await store.transaction(async ({ record }) =>
        record({ action: 'audit.read', actor, targetId: reader.organizationId, filter: fields }),
      );
      noted.set(key, true);
    },
  };
}
