import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../logging.ts';
import { UNWATCHED, type WatchLimits } from './silence.ts';

/** What the worker is given. */
export interface WatchData {
  /** One 32-bit integer: the last heartbeat of the main thread. */
  readonly heartbeats: SharedArrayBuffer;
  readonly limits: WatchLimits;
}

/** Far longer than anything holds the main thread once the service listens. */
const LIMITS: WatchLimits = { interval: 1_000, looks: 30 };

/** Megabytes. With 4 the worker cannot start. */
const MEMORY = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

/** Beside the bundle: the worker is an entry of the build. */
const WORKER = new URL('./watch-worker.js', import.meta.url);

/**
 * Ends the process, with a sentence on standard error, if the main thread no longer returns to its
 * event loop. Neither thread keeps the process alive, and its end ends the watch. A process under a
 * debugger is not watched while that is attached.
 */
export function startWatch(log: Logger, limits = LIMITS): void {
  const heartbeats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let count = UNWATCHED;
  const beat = (): void => {
    count += 1;
    Atomics.store(heartbeats, 0, inspectorUrl() === undefined ? count : UNWATCHED);
  };
  beat();
  const beating = setInterval(beat, limits.interval).unref();
  const workerData: WatchData = { heartbeats: heartbeats.buffer, limits };
  // The worker must not load the process's preloaded modules again.
  const bare = { execArgv: [], env: {} };
  const worker = new Worker(WORKER, { workerData, resourceLimits: MEMORY, name: 'watch', ...bare });
  worker.once('error', (error) => {
    clearInterval(beating);
    log.error({ err: error }, 'the process is not watched: if it hangs, nothing ends it');
  });
  worker.unref();
}
