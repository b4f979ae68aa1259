import { AbortError, InvalidArgumentError, TimeoutError } from '../errors/errors.ts';

/** Timers store milliseconds as a signed 32-bit integer. A longer timer would fire at once. */
const MAX_TIMEOUT = 2_147_483_647;

/** The limits of a piece of work. */
export interface Deadline {
  /** Names the work in messages, such as `GET /integrations`. */
  readonly label: string;
  /** Milliseconds. No limit if absent. */
  readonly timeout?: number;
  /** The timeout that the error reports, in milliseconds: that of the option, not what is left of it. */
  readonly reportedTimeout?: number;
  readonly signal: AbortSignal | undefined;
}

/** @throws InvalidArgumentError unless `timeout` is a positive number of milliseconds that a timer supports. */
export function assertTimeout(timeout: number, name = 'timeout'): void {
  if (timeout > 0 && timeout <= MAX_TIMEOUT) return;
  throw new InvalidArgumentError(`${name} must be between 1 and ${MAX_TIMEOUT} milliseconds.`);
}

/**
 * Runs `work` until it settles, the time is up or the caller aborts, whichever comes first, even
 * when `work` ignores its signal. Removes the timer and the listener afterwards.
 *
 * @throws TimeoutError also when `signal` comes from `AbortSignal.timeout()`
 * @throws AbortError
 */
export async function withDeadline<T>(
  { label, timeout, reportedTimeout = 0, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const aborted = () => toError(label, signal?.reason);
  if (signal?.aborted) throw aborted();

  const controller = new AbortController();
  let end: (error: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = (error) => {
      // Rejected first, so that the race ends with this error and not with the one from `work`.
      reject(error);
      controller.abort(error);
    };
  });
  const onAbort = () => end(aborted());
  const onTime = () =>
    end(new TimeoutError(`${label} took longer than ${reportedTimeout} ms.`, reportedTimeout));
  const timer = timeout === undefined ? undefined : setTimeout(onTime, timeout);
  signal?.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The error for the reason of a signal. `AbortSignal.timeout()` aborts with a `DOMException` of this name. */
function toError(label: string, cause: unknown): Error {
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return new TimeoutError(`${label} took longer than its signal allows.`, undefined, { cause });
  }
  return new AbortError(`${label} was aborted.`, { cause });
}
