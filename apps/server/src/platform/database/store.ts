import type { Prisma } from '../../generated/prisma/client.ts';
import type { Change, Changes } from '../changes/changes.ts';

/** A Prisma client for queries: the store's own, or that of the running transaction. */
export type Db = Prisma.TransactionClient;

/** One running transaction. */
export interface Tx {
  readonly db: Db;
  /** Tells every node of a change when, and only if, this transaction commits. */
  announce(...changes: readonly Change[]): void;
}

/** The database behind the service: PostgreSQL, or PGlite embedded in this process. */
export interface Store {
  readonly kind: 'postgresql' | 'pglite';
  /** For single statements. Never use it inside `transaction`: PGlite has one connection and would wait for itself. */
  readonly db: Db;
  readonly changes: Changes;
  /**
   * Runs `work` in one transaction (read committed; 5 s at most, waits 10 s for a connection, tries
   * again up to 3 times on a serialization failure or deadlock). Listeners on this node have heard
   * the announced changes when it resolves. Network calls have no place in it.
   *
   * @throws ProblemError `database_unavailable` when no connection is had in time.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
