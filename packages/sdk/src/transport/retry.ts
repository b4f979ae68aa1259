import { isApiError } from '../errors/api-errors.ts';
import { isGatehouseError } from '../errors/errors.ts';

const FIRST_DELAY = 500;
const LONGEST_DELAY = 8_000;

/** Answers that another attempt may change. */
const PASSING = [408, 429, 500, 502, 503, 504];

/** Whether the failure may be gone at the next attempt. */
export function isPassing(error: unknown): boolean {
  if (!isApiError(error)) return isGatehouseError(error) && error.code === 'connection_failed';
  if (error.status === 409) return error.code === 'idempotency_in_progress';
  return PASSING.includes(error.status);
}

/**
 * Whether repeating the request cannot take effect twice: GET, PUT and DELETE never do, POST and
 * PATCH not with an idempotency key (RFC 9110 section 9.2.2). A 429 is refused before anything is
 * done, whatever the request.
 */
export function isRepeatable(
  method: string,
  idempotencyKey: string | undefined,
  error: unknown,
): boolean {
  if (idempotencyKey !== undefined || (method !== 'POST' && method !== 'PATCH')) return true;
  return isApiError(error) && error.status === 429;
}

/**
 * Milliseconds before the `retry`th retry: full jitter, so that clients spread out. `random` is from
 * 0 up to 1.
 */
export function backoff(retry: number, random: number): number {
  return random * Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (retry - 1));
}

/** Milliseconds that `Retry-After` asks for (RFC 9110 section 10.2.3), if it can be read. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // `Date.parse` alone reads a date into almost anything.
  const date = / GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
