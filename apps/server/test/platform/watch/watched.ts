import { writeSync } from 'node:fs';
import { open } from 'node:inspector';
import { createLogger } from '../../../src/platform/logging.ts';
import { startWatch } from '../../../src/platform/watch/watch.ts';

const STDERR = 2;

function hold(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** The commands to this process. */
const orders: Record<string, () => void> = {
  spin() {
    for (;;);
  },
  block: () => hold(Number.POSITIVE_INFINITY),
  /** Blocks until its reader reads, which it does not. */
  write() {
    for (;;) {
      try {
        writeSync(STDERR, 'x'.repeat(10_000));
      } catch {
        // A pipe that does not block is tried again.
      }
    }
  },
  /** As at a breakpoint. */
  debug() {
    open(0);
    setTimeout(() => {
      hold(2_000);
      process.send?.('here');
    }, 1_000);
  },
  answer: () => process.send?.('here'),
  rest: () => process.disconnect(),
};

process.on('message', (order) => orders[String(order)]?.());
// A check counts when it is at most a tenth of the interval late: a busy machine needs a long one.
startWatch(createLogger('error'), { interval: 500, looks: 2 });
process.send?.('here');
