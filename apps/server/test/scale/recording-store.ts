import pg from 'pg';
import { PostgresqlChanges } from '../../src/platform/changes/postgresql-changes.ts';
import { createPostgresqlStore } from '../../src/platform/database/create-store.ts';
import { connectionOptions } from '../../src/platform/database/postgresql.ts';
import type { Store } from '../../src/platform/database/store.ts';

/** A statement as it went to the server. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface RecordingStore extends Store {
  /** What `work` sent through this store, with the values, transaction control left out. */
  record(work: () => Promise<unknown>): Promise<Sent[]>;
}

/**
 * Everything recorded runs in one transaction, even housekeeping, which otherwise uses one for each
 * batch.
 */
const LIMITS = { maxWait: 10_000, timeout: 180_000 };

/** The service's own store over PostgreSQL, listening in between it and the driver. */
export async function openRecordingStore(url: string): Promise<RecordingStore> {
  let sent: Sent[] = [];
  class RecordingClient extends pg.Client {
    override query(...args: never[]): never {
      const [query] = args as readonly unknown[];
      if (isSent(query)) sent.push({ text: query.text, values: query.values });
      return Reflect.apply(super.query, this, args) as never;
    }
  }
  const pool = new pg.Pool({
    ...connectionOptions(url),
    Client: RecordingClient as typeof pg.Client,
    max: 2,
  });
  const changes = new PostgresqlChanges(connectionOptions(url));
  await changes.start();
  return {
    ...createPostgresqlStore(pool, changes, { transactionLimits: LIMITS }),
    async record(work) {
      sent = [];
      await work();
      return sent.filter(({ text }) => !/^(?:BEGIN|COMMIT|ROLLBACK)\b/.test(text));
    },
  };
}

function isSent(query: unknown): query is Sent {
  return typeof query === 'object' && query !== null && 'text' in query && 'values' in query;
}
