import type { ManagementEvent } from '@gatehouse/contract';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Change, Changes } from '../changes/changes.ts';
import type { RecordedEvent } from '../events/write-events.ts';
import type { MakeStatement } from './statement.ts';

/** A Prisma client for queries: the store's or a running transaction's. */
export type Db = Prisma.TransactionClient;

/** One running transaction. */
export interface Tx {
  readonly db: Db;
  /** Notifies every node of the changes if, and only if, this transaction commits. */
  announce(...changes: readonly Change[]): void;
  /** Writes down what happened, as the last rows of this transaction. */
  record(event: ManagementEvent): void;
}

/** The service's database: PostgreSQL, or PGlite embedded in this process. */
export interface Store {
  readonly kind: 'postgresql' | 'pglite';
  /** A UUID of this process, by which the audit knows what it wrote. */
  readonly run: string;
  /** For single statements. Never use it inside `transaction`: PGlite's only connection would wait for itself. */
  readonly db: Db;
  readonly changes: Changes;
  /** Calls `listener` with each event of a transaction of this node, in order, once it has committed. */
  subscribeToEvents(listener: (recorded: RecordedEvent) => void): () => void;
  /**
   * Runs `work` in one transaction: read committed, 5 s at most, and up to 3 retries after a
   * serialization failure or deadlock. On PostgreSQL 6 run at once; others wait up to 5 s for their
   * turn. A connection is waited for up to 10 s. This node's listeners have been called with the
   * announced changes when it resolves. `work` must not make network calls.
   *
   * @throws ProblemError `database_unavailable` when no connection is free in time.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction that is always rolled back: nothing that it writes, announces or records
   * remains. It sees one moment of the database. It ends after 3 s, and waits 200 ms for a lock, so that
   * writes that wait for it (on the embedded database all do) go on in time. `work` must not make network
   * calls.
   *
   * @throws ProblemError `overloaded` if time or locks did not suffice, `database_unavailable`
   */
  dryRun<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs one hand-written statement as a transaction, bypassing Prisma, which costs more than a short
   * statement. This node's listeners have been called with the changes when it resolves.
   *
   * @param make the statement; it must send these notifications on `CHANNEL`, so that every node hears
   *   of the changes if, and only if, it commits.
   * @throws ProblemError `database_unavailable` when the server is away.
   */
  statement(changes: readonly Change[], make: MakeStatement): Promise<readonly unknown[]>;
  /**
   * Copies the files of an embedded database, as they are between two statements, into a folder of the data
   * directory, from which `openPglite` opens them. The copy recovers as after a crash: it has every
   * transaction that has committed. Statements wait meanwhile; the process does not. Undefined for
   * PostgreSQL, and for a database in memory.
   *
   * @throws NoRoomError
   */
  readonly copyFiles?: ((folder: string) => Promise<void>) | undefined;
  close(): Promise<void>;
}
