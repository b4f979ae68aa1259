import { usageStepOf } from '@gatehouse/contract';
import { mayBeCommitted } from '../platform/database/database-failure.ts';
import { NIL } from '../platform/database/index-range.ts';
import type { Store } from '../platform/database/store.ts';
import { WriteBehind } from '../platform/write-behind.ts';
import { addCounts, countCall, noCounts, type UsedCall } from './counts.ts';
import { type Counted, type Line, Lines, writeHours, writeMinutes } from './write-usage.ts';

/** Milliseconds from the end of a call to its write, unless the database is slow or away. */
const WRITE_EVERY = 1_000;

/** Rows of one statement: the embedded database holds the process for a few milliseconds with them. */
const BATCH = 50;

/** Most rows in memory, 50,000 in all. As many again may be in a write that is under way. */
const MAX_LINES = 5_000;
const MAX_MINUTES = 2_500;
const MAX_HOURS = 20_000;

/** Counts the calls of this node, and writes the counts behind. */
export interface UsageCounters {
  count(call: UsedCall): void;
  /** Writes what waits. Rejects if that fails; then it waits for the next write. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createUsageCounters(
  { db }: Pick<Store, 'db'>,
  onError: (error: unknown) => void,
): UsageCounters {
  let lines = new Lines(0);
  /** Counts must not be added twice: a batch that may have been committed is not written again. */
  const writeOnce = (write: () => Promise<undefined>): Promise<undefined> =>
    write().catch((error: unknown) => {
      if (!mayBeCommitted(error)) throw error;
      onError(error);
      return undefined;
    });
  const collect = (): void => {
    const { all, minute } = lines;
    lines = new Lines(minute);
    for (const line of all) {
      addTo(minutes, { ...line, at: minute, tool: '', userId: NIL });
      const at = usageStepOf('hour', minute);
      addTo(hours, { ...line, at });
      addTo(hours, { ...line, at, tool: '', userId: NIL });
      addTo(hours, { ...line, at, applicationId: NIL, userId: NIL });
    }
  };
  const options = { interval: WRITE_EVERY, batchSize: BATCH, collect, merge, onError };
  const minutes = new WriteBehind<Counted>({
    ...options,
    maxWaiting: MAX_MINUTES,
    write: (batch) => writeOnce(() => writeMinutes(db, [...batch.values()])),
  });
  const hours = new WriteBehind<Counted>({
    ...options,
    maxWaiting: MAX_HOURS,
    write: (batch) => writeOnce(() => writeHours(db, [...batch.values()])),
  });
  const flush = async (): Promise<void> => {
    await Promise.all([minutes.flush(), hours.flush()]);
  };
  return {
    count(call) {
      const minute = usageStepOf('minute', call.endedAt);
      if (minute !== lines.minute) {
        collect();
        lines = new Lines(minute);
      }
      const { tools } = call;
      for (let n = 0; n < tools.length; n += 1) {
        countCall(lines.lineOf(call, tools[n] ?? '').counts, call, n === 0);
      }
      if (lines.all.length < MAX_LINES) return;
      collect();
      flush().catch(onError);
    },
    flush,
    async close() {
      await Promise.all([minutes.close(), hours.close()]);
    },
  };
}

/** @param row with the counts of a line, which stay as they are */
function addTo(
  table: WriteBehind<Counted>,
  {
    organizationId,
    applicationId,
    integrationId,
    tool,
    userId,
    at,
    counts,
  }: Line & Pick<Counted, 'at'>,
): void {
  const key = { organizationId, applicationId, integrationId, tool, userId, at };
  const name = `${at} ${organizationId} ${applicationId} ${integrationId} ${userId} ${tool}`;
  const own = noCounts();
  addCounts(own, counts);
  table.add(name, { ...key, counts: own });
}

/** The counts of a failed write are the older ones, and nothing else changes them. */
function merge(older: Counted, newer: Counted): Counted {
  addCounts(older.counts, newer.counts);
  return older;
}
