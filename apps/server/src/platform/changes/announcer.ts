import type { Prisma } from '../../generated/prisma/client.ts';
import type { Change } from './changes.ts';

/** The outcome of the transaction that sent an announcement. Exactly one of these is called. */
export interface Announcement {
  /** The transaction committed: calls this node's listeners. */
  committed(): void;
  /** The transaction failed, or its outcome is unknown. */
  abandoned(): void;
}

/** Sends the changes of a transaction to the listeners. */
export interface Announcer {
  /** Called with the transaction's client, as its last statement. */
  announce(db: Prisma.TransactionClient, changes: readonly Change[]): Promise<Announcement>;
}
