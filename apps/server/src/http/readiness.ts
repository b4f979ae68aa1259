import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../platform/database/store.ts';
import { type Metrics, observedGauge } from '../platform/metrics.ts';

export interface ReadinessDeps {
  readonly store: Store;
  readonly metrics: Metrics;
  /** False after the first SIGTERM. */
  isServing(): boolean;
}

/** Milliseconds that a scrape waits for the database, so that the other metrics are not lost with it. */
const SCRAPE_PATIENCE = 2_000;

/** Whether this node can serve requests. The metrics have the answer too, as of each scrape. */
export function createReadiness({ store, metrics, isServing }: ReadinessDeps) {
  let seconds = 0;
  const isReady = async (): Promise<boolean> => {
    if (!isServing()) return false;
    const begun = performance.now();
    const ready = await canWrite(store);
    seconds = (performance.now() - begun) / 1000;
    return ready;
  };
  observedGauge(
    metrics,
    {
      name: 'gatehouse_ready',
      help: 'Whether this node serves requests and its database takes writes, as /readyz says: 1 or 0.',
    },
    async () => Number(await Promise.race([isReady(), delay(SCRAPE_PATIENCE, false)])),
  );
  observedGauge(
    metrics,
    {
      name: 'gatehouse_database_check_seconds',
      help: 'Seconds that the last check of the database for readiness took.',
    },
    () => seconds,
  );
  return isReady;
}

/** A standby, or a server set to read only, serves no writes: a balancer should choose another node. */
async function canWrite({ db }: Store): Promise<boolean> {
  return db.$queryRaw<{ isReadOnly: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`.then(
    ([row]) => row?.isReadOnly === false,
    () => false,
  );
}
