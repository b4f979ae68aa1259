import { AbortError, InvalidArgumentError, TimeoutError } from '../errors/errors.ts';

/** Timers hold a signed 32-bit number of milliseconds; a longer one would fire at once. */
const MAX_TIMEOUT = 2_147_483_647;

/** What ends a piece of work early. */
export interface Deadline {
  /** Names the work in messages, such as `GET /integrations`. */
  readonly label: string;
  /** Milliseconds; none without. */
  readonly timeout?: number;
  /** The limit to name when the time is up, in milliseconds. */
  readonly limit?: number;
  readonly signal: AbortSignal | undefined;
}

/** @throws InvalidArgumentError unless `timeout` is a positive number of milliseconds a timer holds. */
export function assertTimeout(timeout: number, name = 'timeout'): void {
  if (timeout > 0 && timeout <= MAX_TIMEOUT) return;
  throw new InvalidArgumentError(`${name} must be between 1 and ${MAX_TIMEOUT} milliseconds.`);
}

/**
 * Runs `work` until it settles, the time is up or the caller aborts, whichever comes first, also
 * when `work` ignores the signal it is given. Timer and listener are gone afterwards.
 *
 * @throws TimeoutError
 * @throws AbortError
 */
export async function withDeadline<T>(
  { label, timeout, limit = 0, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const aborted = () => new AbortError(`${label} was aborted.`, { cause: signal?.reason });
  if (signal?.aborted) throw aborted();

  const controller = new AbortController();
  let cut: (error: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    cut = (error) => {
      // Rejected first, so that the race sees this error and not the one `work` makes of the abort.
      reject(error);
      controller.abort(error);
    };
  });
  const onAbort = () => cut(aborted());
  const onTime = () => cut(new TimeoutError(`${label} took longer than ${limit} ms.`, limit));
  const timer = timeout === undefined ? undefined : setTimeout(onTime, timeout);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
