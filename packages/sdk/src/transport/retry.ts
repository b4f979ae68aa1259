import { isApiError } from '../errors/api-errors.ts';
import { isGatehouseError } from '../errors/errors.ts';
import { takesKey } from './idempotency.ts';

const FIRST_DELAY = 500;
const LONGEST_DELAY = 8_000;

/** Statuses that another attempt may change. */
const TRANSIENT_STATUSES = [408, 429, 500, 502, 503, 504];

/** Whether the response to a sent request was lost, so that the request may have taken effect. */
export function isLost(error: unknown): boolean {
  if (isApiError(error)) return error.status === 408 || error.status >= 500;
  return isGatehouseError(error) && ['connection_failed', 'timeout'].includes(error.code);
}

/** Whether the next attempt may succeed. */
export function isTransient(error: unknown): boolean {
  if (!isApiError(error)) return isLost(error);
  if (error.status === 409) return error.code === 'idempotency_in_progress';
  return TRANSIENT_STATUSES.includes(error.status);
}

/**
 * Whether retrying the request cannot have an effect twice: a GET has no effect, and a write with an
 * idempotency key has one. A request that got a 429 had no effect.
 */
export function isSafeToRetry(
  method: string,
  idempotencyKey: string | undefined,
  error: unknown,
): boolean {
  if (idempotencyKey !== undefined || !takesKey(method)) return true;
  return isApiError(error) && error.status === 429;
}

/**
 * Milliseconds to wait before a retry, 1 for the first: full jitter, so that clients spread out.
 * `random` is at least 0 and less than 1.
 */
export function backoff(retry: number, random: number): number {
  return random * Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (retry - 1));
}

/** The value of `Retry-After` in milliseconds (RFC 9110 section 10.2.3), if it is valid. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // `Date.parse` alone accepts almost anything as a date.
  const date = / GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
