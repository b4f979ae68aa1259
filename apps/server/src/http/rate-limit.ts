import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { MinuteBudget } from '../platform/minute-budget.ts';
import { ProblemError } from '../platform/problem-error.ts';

const WINDOW_S = 60;
const FAILED_AUTHENTICATION_POINTS = 20;

export interface RateLimit {
  /** Counts a management request; returns the headers of draft-ietf-httpapi-ratelimit-headers. @throws ProblemError `rate_limited` */
  countRequest(bearerId: string): Promise<readonly (readonly [string, string])[]>;
  /** Counts a failed authentication. @throws ProblemError `rate_limited` once the address block has reached its limit. */
  countFailure(source: string): Promise<void>;
}

/** Both limits are per node. `perMinute` 0 turns them off. */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return { countRequest: async () => [], countFailure: async () => {} };
  const calls = new RateLimiterMemory({ points: perMinute, duration: WINDOW_S });
  const failures = new MinuteBudget(FAILED_AUTHENTICATION_POINTS);
  return {
    async countRequest(bearerId) {
      const result = await consume(calls, bearerId);
      const headers = headersOf(perMinute, result);
      if (result.consumedPoints > perMinute) throw limited(result.msBeforeNext, headers);
      return headers;
    },
    async countFailure(source) {
      const wait = failures.take(source);
      if (wait > 0) throw limited(wait);
    },
  };
}

/** The limiter rejects with its result over the limit, and with an Error when it fails. */
async function consume(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (rejection) {
    if (rejection instanceof Error) throw rejection;
    return rejection as RateLimiterRes;
  }
}

function headersOf(points: number, { remainingPoints, msBeforeNext }: RateLimiterRes) {
  return [
    ['RateLimit-Policy', `"default";q=${points};w=${WINDOW_S}`],
    ['RateLimit', `"default";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}`],
  ] as const;
}

/** @param wait milliseconds */
export function limited(
  wait: number,
  headers: readonly (readonly [string, string])[] = [],
): ProblemError {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new ProblemError('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
    headers: { ...Object.fromEntries(headers), 'Retry-After': String(seconds) },
  });
}

/**
 * Limits how often a caller starts work that writes a row or calls another server.
 *
 * @param perMinute how often each key may
 * @returns a function that throws ProblemError `rate_limited` beyond that
 */
export function limitPerMinute(perMinute: number): (key: string) => Promise<void> {
  const budget = new MinuteBudget(perMinute);
  return async (key) => {
    const wait = budget.take(key);
    if (wait > 0) throw limited(wait);
  };
}
