import { write } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { workerData } from 'node:worker_threads';
import { Silence } from './silence.ts';
import type { WatchData } from './watch.ts';

const STDERR = 2;

/** Milliseconds to write the sentence; there may be no reader. */
const WRITE_LIMIT = 1_000;

const { heartbeats, limits }: WatchData = workerData;
const shared = new Int32Array(heartbeats);
const silence = new Silence(limits, performance.now());

const looking = setInterval(() => {
  if (!silence.look(Atomics.load(shared, 0), performance.now())) return;
  clearInterval(looking);
  setTimeout(end, WRITE_LIMIT);
  write(STDERR, sentence(), end);
}, limits.interval);

function sentence(): string {
  const seconds = (limits.interval * limits.looks) / 1_000;
  return (
    `Gatehouse has not answered for ${seconds} seconds and ends itself, so that it can be started again. ` +
    'Nothing that was acknowledged is lost. Please report this with the last lines of the log.\n'
  );
}

/**
 * A worker cannot end its process cleanly: `process.exit` ends only the thread, `process.abort` is
 * refused, and a signal that can be handled is handled by the main thread.
 */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
  // Still alive: Linux withholds signals from the first process of a container, but not a trap.
  setFlagsFromString('--allow-natives-syntax');
  runInThisContext('%SystemBreak()');
}
