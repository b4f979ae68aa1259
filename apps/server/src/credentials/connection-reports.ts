import type { Store, Tx } from '../platform/database/store.ts';
import { WriteBehind } from '../platform/write-behind.ts';

/** Writes behind whether upstreams accept the credentials of connections. */
export interface ConnectionReports {
  rejected(connectionId: string): void;
  /** Costs nothing unless the connection is known to be rejected. */
  accepted(connectionId: string): void;
  /** @param isRejected whether the row that was just read has a `reason` */
  noteRead(connectionId: string, isRejected: boolean): void;
  /** Resolves when everything reported so far is written, or the database has failed. */
  flush(): Promise<void>;
  /** Writes what waits and stops. @throws when that fails. */
  close(): Promise<void>;
}

type Verdict = 'rejected' | 'accepted';

/** Milliseconds from a report to its write at most. */
const WRITE_EVERY = 1_000;

const MAX_WAITING = 10_000;
const MAX_KNOWN_REJECTED = 10_000;

/**
 * One conditional update per verdict and batch. Rows that changed are announced, so that every node
 * knows whether a success has a `reason` to clear.
 *
 * @param onError called when a write fails that will be tried again, and when reports are lost.
 */
export function createConnectionReports(
  store: Store,
  onError: (error: unknown) => void,
): ConnectionReports {
  const knownRejected = new Set<string>();
  const writer = new WriteBehind<Verdict>({
    interval: WRITE_EVERY,
    batchSize: MAX_WAITING,
    maxWaiting: MAX_WAITING,
    async write(verdicts) {
      await store.transaction((tx) => writeVerdicts(tx, verdicts));
      return undefined;
    },
    onError,
  });

  return {
    rejected(connectionId) {
      if (knownRejected.has(connectionId)) return;
      remember(knownRejected, connectionId);
      writer.add(connectionId, 'rejected');
    },
    accepted(connectionId) {
      if (knownRejected.delete(connectionId)) writer.add(connectionId, 'accepted');
    },
    noteRead(connectionId, isRejected) {
      // The report is newer than the row.
      if (writer.has(connectionId)) return;
      if (isRejected) remember(knownRejected, connectionId);
      else knownRejected.delete(connectionId);
    },
    flush: () => writer.flush().catch(onError),
    close: () => writer.close(),
  };
}

/** Forgets the oldest report when there are too many. */
function remember(connectionIds: Set<string>, connectionId: string): void {
  connectionIds.add(connectionId);
  if (connectionIds.size <= MAX_KNOWN_REJECTED) return;
  for (const oldest of connectionIds) {
    connectionIds.delete(oldest);
    return;
  }
}

async function writeVerdicts(tx: Tx, verdicts: ReadonlyMap<string, Verdict>): Promise<void> {
  const idsOf = (wanted: Verdict) =>
    [...verdicts].filter(([, verdict]) => verdict === wanted).map(([connectionId]) => connectionId);
  const select = { integrationId: true, userId: true } as const;
  const rejected = await tx.db.connection.updateManyAndReturn({
    where: { id: { in: idsOf('rejected') }, reason: null },
    data: { reason: 'rejected_upstream' },
    select,
  });
  const accepted = await tx.db.connection.updateManyAndReturn({
    where: { id: { in: idsOf('accepted') }, reason: 'rejected_upstream' },
    data: { reason: null },
    select,
  });
  for (const { integrationId, userId } of [...rejected, ...accepted]) {
    tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` });
  }
}
