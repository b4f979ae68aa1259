import { inTime } from '../../../credentials/probe/probe-clock.ts';
import { probeTargetOf } from '../../../credentials/probe/probe-target.ts';
import type { Prober } from '../../../credentials/probe/prober.ts';
import type { Integration } from '../../../generated/prisma/client.ts';
import type { Store } from '../../../platform/database/store.ts';
import { claimDue, recordRevalidation } from './schedule.ts';

export interface RevalidationsOptions {
  readonly store: Store;
  readonly prober: Pick<Prober, 'probeForNobody'>;
  readonly onError: (error: unknown) => void;
}

/** Revalidates integrations at the interval that each one sets. */
export interface Revalidations {
  /** Validates what is due now. Never rejects. */
  run(): Promise<void>;
  /** Ends soon. Validations in progress are not recorded; they run again when due. */
  close(): Promise<void>;
}

/** Milliseconds between two searches for due integrations. */
const EVERY = 30_000;

/** The number of integrations taken, and validated, at the same time. */
const BATCH = 20;
const WORKERS = 4;

/** Starts revalidating integrations that are due. Any number of nodes can do so. */
export function startRevalidations({
  store,
  prober,
  onError,
}: RevalidationsOptions): Revalidations {
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  const revalidate = async (integration: Integration): Promise<void> => {
    try {
      const probing = prober.probeForNobody(probeTargetOf(integration));
      const result = await inTime(probing, closing.signal);
      if (result === undefined) return;
      await store.transaction((tx) => recordRevalidation(tx, integration, result));
    } catch (error) {
      onError(error);
    }
  };

  const work = async (): Promise<void> => {
    try {
      while (!closing.signal.aborted) {
        const due = await claimDue(store.db, BATCH);
        if (due.length === 0) return;
        const queue = due.values();
        const worker = async () => {
          for (const integration of queue) {
            if (closing.signal.aborted) return;
            await revalidate(integration);
          }
        };
        await Promise.all(Array.from({ length: WORKERS }, worker));
      }
    } catch (error) {
      onError(error);
    }
  };

  const run = (): Promise<void> => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timer = setInterval(() => void run(), EVERY);
  timer.unref();

  return {
    run,
    async close() {
      clearInterval(timer);
      closing.abort();
      await running;
    },
  };
}
