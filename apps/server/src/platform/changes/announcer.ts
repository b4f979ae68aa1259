import type { Prisma } from '../../generated/prisma/client.ts';
import type { Change } from './changes.ts';

/** What became of the transaction that carried an announcement. Exactly one is called. */
export interface Announcement {
  /** The commit is known: calls this node's listeners. */
  committed(): void;
  /** It failed, or its outcome is unknown. */
  abandoned(): void;
}

/** How the changes of a transaction reach their listeners. */
export interface Announcer {
  /** Called with the transaction's client, as its last statement. */
  announce(db: Prisma.TransactionClient, changes: readonly Change[]): Promise<Announcement>;
}
