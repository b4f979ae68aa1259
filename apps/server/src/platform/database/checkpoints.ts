import type { PGlite } from '@electric-sql/pglite';

/**
 * Makes a checkpoint again and again: PGlite has no background processes, so that the log would grow until
 * the server stops, and be replayed after a crash.
 *
 * @param every milliseconds
 * @returns what ends it
 */
export function startCheckpoints(database: PGlite, every: number): () => void {
  // A statement that follows says what failed, and the guard of the disk has been told.
  const run = () => void database.exec('CHECKPOINT').catch(() => undefined);
  const timer = setInterval(run, every);
  timer.unref();
  return () => clearInterval(timer);
}
