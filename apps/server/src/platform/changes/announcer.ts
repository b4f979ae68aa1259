import type { Change } from './changes.ts';

/** The outcome of the transaction that sent an announcement. Exactly one of these is called. */
export interface Announcement {
  /** What the transaction must send by NOTIFY on `CHANNEL`, as its last statement or in it. */
  readonly notifications: readonly string[];
  /** The transaction committed: calls this node's listeners. */
  committed(): void;
  /** The transaction failed, or its outcome is unknown. */
  abandoned(): void;
}

/** Sends the changes of a transaction to the listeners. */
export interface Announcer {
  prepare(changes: readonly Change[]): Announcement;
}
