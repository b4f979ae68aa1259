import { setTimeout as delay } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';
import { PrismaClient } from '../../generated/prisma/client.ts';
import type { Announcer, Changes } from '../changes/changes.ts';
import { LocalChanges } from '../changes/local-changes.ts';
import type { PostgresqlChanges } from '../changes/postgresql-changes.ts';
import type { RecordedEvent } from '../events/write-events.ts';
import { createId } from '../ids.ts';
import { Slots } from '../slots.ts';
import { copyFiles } from './copy-files.ts';
import { databaseUnavailable } from './database-failure.ts';
import { dryRun } from './dry-run.ts';
import { pgliteAdapter } from './pglite-adapter.ts';
import {
  pgliteStatements,
  postgresqlStatements,
  type RunStatement,
  runStatement,
} from './statement.ts';
import type { Store } from './store.ts';
import { runTransaction, type TransactionLimits } from './transaction.ts';

/** Milliseconds that closing waits for the connections to end. */
const END_TIMEOUT = 2_000;

export interface StoreOptions {
  /** Called with the SQL of every statement, for tests that count them. */
  readonly onStatement?: ((sql: string) => void) | undefined;
  /** Also of dry runs. For tests that do the work of many transactions in one, or on a busy machine. */
  readonly transactionLimits?: TransactionLimits | undefined;
  /** The data directory of an embedded database that is not in memory. */
  readonly dataDir?: string | undefined;
  /** Milliseconds between two checkpoints of an embedded database. Default: 5 minutes, as PostgreSQL has it. */
  readonly checkpointEvery?: number | undefined;
  /** Runs once the database is closed. */
  readonly afterClose?: (() => Promise<void>) | undefined;
}

/**
 * Transactions use at most six of a node's ten connections: while they all wait for one locked row,
 * reads go on with the others.
 */
const TRANSACTION_SLOTS = {
  running: 6,
  waiting: 500,
  maxWait: 5_000,
  refusal: databaseUnavailable,
};

/** A store on an open, migrated PGlite; `close` closes it. */
export function createPgliteStore(database: PGlite, options: StoreOptions = {}): Store {
  const { dataDir, checkpointEvery = 300_000 } = options;
  const stopCheckpoints =
    dataDir === undefined ? undefined : startCheckpoints(database, checkpointEvery);
  const store = createStore({
    kind: 'pglite',
    adapter: pgliteAdapter(database),
    runOne: pgliteStatements(database),
    changes: new LocalChanges(),
    options,
    closeDatabase: () => {
      stopCheckpoints?.();
      return database.close();
    },
  });
  if (dataDir === undefined) return store;
  return { ...store, copyFiles: (folder) => copyFiles(database, dataDir, folder) };
}

/** A store on a pool to a migrated PostgreSQL and its started changes; `close` closes both. */
export function createPostgresqlStore(
  pool: Pool,
  changes: PostgresqlChanges,
  options: StoreOptions = {},
): Store {
  const store = createStore({
    kind: 'postgresql',
    adapter: new PrismaPg(pool),
    runOne: postgresqlStatements(pool),
    changes,
    options,
    closeDatabase: async () => {
      await changes.close();
      // A server that no longer responds must not keep the process from exiting.
      await Promise.race([pool.end(), delay(END_TIMEOUT, undefined, { ref: false })]);
    },
  });
  const slots = new Slots(TRANSACTION_SLOTS);
  return {
    ...store,
    transaction: (work) => slots.run(() => store.transaction(work)),
    dryRun: (work) => slots.run(() => store.dryRun(work)),
  };
}

interface StoreParts {
  readonly kind: Store['kind'];
  readonly adapter: SqlDriverAdapterFactory;
  readonly runOne: RunStatement;
  readonly changes: Changes & Announcer;
  readonly options: StoreOptions;
  readonly closeDatabase: () => Promise<void>;
}

function createStore({
  kind,
  adapter,
  runOne,
  changes,
  options,
  closeDatabase,
}: StoreParts): Store {
  const { onStatement, transactionLimits, afterClose } = options;
  const client =
    onStatement === undefined
      ? new PrismaClient({ adapter, errorFormat: 'minimal' })
      : observedClient(adapter, onStatement);
  const observedRun = observed(runOne, onStatement);
  const run = createId().id;
  const eventListeners = new Set<(recorded: RecordedEvent) => void>();
  const transactions = {
    client,
    announcer: changes,
    run,
    onEvent: (recorded: RecordedEvent) => {
      for (const listener of eventListeners) listener(recorded);
    },
    limits: transactionLimits,
  };
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    try {
      await client.$disconnect();
    } finally {
      await closeDatabase().finally(afterClose);
    }
  };
  return {
    kind,
    run,
    db: client,
    changes,
    subscribeToEvents: (listener) => {
      eventListeners.add(listener);
      return () => void eventListeners.delete(listener);
    },
    transaction: (work) => runTransaction(transactions, work),
    dryRun: (work) => dryRun(client, work, transactionLimits),
    statement: (changed, make) => runStatement(observedRun, changes, changed, make),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function observed(run: RunStatement, onStatement: StoreOptions['onStatement']): RunStatement {
  if (onStatement === undefined) return run;
  return (statement) => {
    onStatement(statement.sql.text);
    return run(statement);
  };
}

function observedClient(
  adapter: SqlDriverAdapterFactory,
  onStatement: (sql: string) => void,
): PrismaClient {
  const client = new PrismaClient({
    adapter,
    errorFormat: 'minimal',
    log: [{ emit: 'event', level: 'query' }],
  });
  client.$on('query', ({ query }) => onStatement(query));
  return client;
}

/**
 * Makes a checkpoint again and again: PGlite has no background processes, so that the log would grow until
 * the server stops, and be replayed after a crash.
 *
 * @param every milliseconds
 * @returns what ends it
 */
function startCheckpoints(database: PGlite, every: number): () => void {
  // The next statement reports the failure, and the disk guard has seen it.
  const run = () => void database.exec('CHECKPOINT').catch(() => undefined);
  const timer = setInterval(run, every);
  timer.unref();
  return () => clearInterval(timer);
}
