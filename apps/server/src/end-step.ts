import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Milliseconds for one step of the shutdown: a database that hangs must not keep the process alive. */
const STEP_TIMEOUT = 5_000;

/** Waits for one step of the shutdown. False when it failed or took too long, which is logged; the other steps go on. */
export async function endStep(
  log: Logger,
  step: string,
  ended: Promise<unknown>,
  within = STEP_TIMEOUT,
): Promise<boolean> {
  const over = new AbortController();
  const isLate = delay(within, true, { signal: over.signal }).catch(() => false);
  try {
    if (!(await Promise.race([ended.then(() => false), isLate]))) return true;
    log.error({ step, within }, 'not ended in time');
  } catch (error) {
    log.error({ step, err: error }, 'not ended in order');
  } finally {
    over.abort();
  }
  return false;
}
