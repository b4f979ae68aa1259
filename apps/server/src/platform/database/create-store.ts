import { setTimeout as delay } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';
import { PrismaClient } from '../../generated/prisma/client.ts';
import type { Announcer } from '../changes/announcer.ts';
import type { Changes } from '../changes/changes.ts';
import { LocalChanges } from '../changes/local-changes.ts';
import type { PostgresqlChanges } from '../changes/postgresql-changes.ts';
import { copyFiles } from './copy-files.ts';
import { pgliteAdapter } from './pglite-adapter.ts';
import { postgresqlAdapter } from './postgresql.ts';
import { Slots } from './slots.ts';
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
  /** For tests that do in one transaction what the service does in many. */
  readonly transactionLimits?: TransactionLimits | undefined;
  /** Of an embedded database that is not in memory. */
  readonly dataDir?: string | undefined;
  /** Runs once the database is closed. */
  readonly afterClose?: (() => Promise<void>) | undefined;
}

/**
 * Transactions use at most so many of a node's ten connections: while they all wait for one row that
 * somebody has locked, reads go on with the others.
 */
const TRANSACTION_SLOTS = { slots: 6, maxWaiting: 500, maxWait: 5_000 };

/** A store on an open, migrated PGlite; `close` closes it. */
export function createPgliteStore(database: PGlite, options: StoreOptions = {}): Store {
  const { dataDir } = options;
  const store = createStore({
    kind: 'pglite',
    adapter: pgliteAdapter(database),
    run: pgliteStatements(database),
    changes: new LocalChanges(),
    options,
    closeDatabase: () => database.close(),
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
    adapter: postgresqlAdapter(pool),
    run: postgresqlStatements(pool),
    changes,
    options,
    closeDatabase: async () => {
      await changes.close();
      // A server that no longer responds must not keep the process from exiting.
      await Promise.race([pool.end(), delay(END_TIMEOUT, undefined, { ref: false })]);
    },
  });
  const slots = new Slots(TRANSACTION_SLOTS);
  return { ...store, transaction: (work) => slots.run(() => store.transaction(work)) };
}

interface StoreParts {
  readonly kind: Store['kind'];
  readonly adapter: SqlDriverAdapterFactory;
  readonly run: RunStatement;
  readonly changes: Changes & Announcer;
  readonly options: StoreOptions;
  readonly closeDatabase: () => Promise<void>;
}

function createStore({ kind, adapter, run, changes, options, closeDatabase }: StoreParts): Store {
  const { onStatement, transactionLimits, afterClose } = options;
  const client =
    onStatement === undefined
      ? new PrismaClient({ adapter, errorFormat: 'minimal' })
      : observedClient(adapter, onStatement);
  const observedRun = observed(run, onStatement);
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
    db: client,
    changes,
    transaction: (work) => runTransaction(client, changes, work, transactionLimits),
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
