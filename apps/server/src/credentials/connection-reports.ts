import type { Store, Tx } from '../platform/database/store.ts';

/** Writes down, behind the calls, whether upstreams accept connections' credentials. */
export interface ConnectionReports {
  refused(connectionId: string): void;
  /** Costs nothing unless the connection is known as refused. */
  accepted(connectionId: string): void;
  /** What the row said when it was read. */
  noteRead(connectionId: string, hasReason: boolean): void;
  /** Resolves when everything reported so far is written, or the database has refused it. */
  flush(): Promise<void>;
}

type Verdict = 'refused' | 'accepted';

/** Milliseconds from a report to its write. */
const DELAY = 1000;
const MAX_KNOWN = 10_000;

/**
 * One conditional update per verdict and batch. Rows that changed are announced, so that every node
 * learns whether a success has something to clear.
 */
export function createConnectionReports(
  store: Store,
  onError: (error: unknown) => void,
): ConnectionReports {
  const known = new Set<string>();
  let pending = new Map<string, Verdict>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const report = (connectionId: string, verdict: Verdict) => {
    if (pending.size >= MAX_KNOWN) return;
    pending.set(connectionId, verdict);
    timer ??= setTimeout(() => void flush(), DELAY).unref();
  };

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = pending;
    pending = new Map();
    if (batch.size > 0) writing = writing.then(() => write(batch));
    return writing;
  }

  async function write(batch: ReadonlyMap<string, Verdict>): Promise<void> {
    try {
      await store.transaction((tx) => writeBatch(tx, batch));
    } catch (error) {
      onError(error);
      // The database is away: what was reported since is newer, the rest is tried again.
      for (const [connectionId, verdict] of batch) {
        if (!pending.has(connectionId)) report(connectionId, verdict);
      }
    }
  }

  return {
    refused(connectionId) {
      if (known.has(connectionId)) return;
      remember(known, connectionId);
      report(connectionId, 'refused');
    },
    accepted(connectionId) {
      if (known.delete(connectionId)) report(connectionId, 'accepted');
    },
    noteRead(connectionId, hasReason) {
      if (pending.has(connectionId)) return;
      if (hasReason) remember(known, connectionId);
      else known.delete(connectionId);
    },
    flush,
  };
}

function remember(known: Set<string>, connectionId: string): void {
  known.add(connectionId);
  if (known.size <= MAX_KNOWN) return;
  for (const oldest of known) {
    known.delete(oldest);
    return;
  }
}

async function writeBatch(tx: Tx, batch: ReadonlyMap<string, Verdict>): Promise<void> {
  const idsOf = (wanted: Verdict) =>
    [...batch].filter(([, verdict]) => verdict === wanted).map(([connectionId]) => connectionId);
  const select = { integrationId: true, userId: true } as const;
  const refused = await tx.db.connection.updateManyAndReturn({
    where: { id: { in: idsOf('refused') }, reason: null },
    data: { reason: 'rejected_upstream' },
    select,
  });
  const accepted = await tx.db.connection.updateManyAndReturn({
    where: { id: { in: idsOf('accepted') }, reason: { not: null } },
    data: { reason: null },
    select,
  });
  for (const { integrationId, userId } of [...refused, ...accepted]) {
    tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` });
  }
}
