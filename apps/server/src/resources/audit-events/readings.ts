import { LRUCache } from 'lru-cache';
import { actorOfCaller, type PersonCaller } from '../../identity/caller.ts';
import type { Store } from '../../platform/database/store.ts';

/** Milliseconds in which a reader who follows a list leaves one event. */
const ONCE_IN = 10 * 60_000;

const MAX_READINGS = 10_000;

type Filter = Readonly<Record<string, unknown>>;

export interface Readings {
  /** Records that a person reads the audit with this filter, unless that is recorded already. */
  noteReading(reader: PersonCaller, filter: Filter): Promise<void>;
}

export function createReadings(store: Store): Readings {
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
