import { createPgliteStore, type StoreOptions } from '../../src/platform/database/create-store.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { createPostgresqlDatabase, type TestDatabase, testDatabaseKind } from './database.ts';
import { requiringEvents } from './events.ts';
import { use } from './use.ts';
import { borrowPglite } from './used-databases.ts';

export interface TestStore extends Store {
  /** The SQL statements sent since the last call, without transaction control and the jobs of the service. */
  statements(): string[];
  /** Another node's store on the same database (PostgreSQL only); closed with this one. */
  openAnotherNode(): Promise<Store>;
}

/** A store over a fresh, migrated, empty database of the kind under test; `close` drops the database. */
export function openTestStore(
  kind = testDatabaseKind,
  options: StoreOptions = {},
): Promise<TestStore> {
  return kind === 'postgresql' ? openPostgresqlStore(undefined, options) : openPgliteStore(options);
}

/** {@link openTestStore} for the tests of this file, or of this block. */
export function useStore(): TestStore {
  return use(() => openTestStore());
}

async function openPgliteStore(options: StoreOptions): Promise<TestStore> {
  const recorder = recordStatements();
  const database = await borrowPglite();
  return {
    ...requiringEvents(createPgliteStore(database, { ...options, onStatement: recorder.record })),
    statements: recorder.take,
    openAnotherNode: () => Promise.reject(new Error('An embedded store has one node.')),
  };
}

/** A store over `database`, which `close` drops. */
export async function openPostgresqlStore(
  given?: TestDatabase,
  options: StoreOptions = {},
): Promise<TestStore> {
  const recorder = recordStatements();
  const database = given ?? (await createPostgresqlDatabase());
  const others: Store[] = [];
  const store = requiringEvents(
    await openDatabase(database.config, { ...options, onStatement: recorder.record }),
  );
  return {
    ...store,
    statements: recorder.take,
    openAnotherNode: async () => {
      const other = requiringEvents(await openDatabase(database.config));
      others.push(other);
      return other;
    },
    close: async () => {
      await Promise.all([store, ...others].map((open) => open.close()));
      await database.drop();
    },
  };
}

const CONTROL = /^(?:-- Implicit "|BEGIN|COMMIT|ROLLBACK)/;

/** Jobs of the service, which run on their own schedule, independently of requests. */
const JOB =
  /^\s*UPDATE "(?:UpstreamRevocation"\s+SET "attempts"|Integration" SET "nextValidationAt")/;

/** What audit and usage write once a second, and the names that the audit reads for it. */
const AUDIT =
  /"AuditBlock"|gatehouse:audit-key|INSERT INTO "Usage(?:Minute|Hour)"|"AuditKey"|"blockNumber"|^\s*SELECT "id", "name" FROM "User" WHERE "id" = ANY/;

function recordStatements(): { record(sql: string): void; take(): string[] } {
  let recorded: string[] = [];
  return {
    record: (sql) => {
      const isOther = CONTROL.test(sql) || JOB.test(sql) || AUDIT.test(sql);
      if (!isOther) recorded.push(sql);
    },
    take: () => {
      const taken = recorded;
      recorded = [];
      return taken;
    },
  };
}
