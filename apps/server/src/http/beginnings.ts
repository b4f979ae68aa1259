import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * Counts how often somebody begins what writes a row or calls another server.
 *
 * @param perMinute how often each key may
 * @returns a function that throws ProblemError `rate_limited` beyond that
 */
export function createBeginnings(perMinute: number): (key: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (key) => {
    try {
      await limiter.consume(key);
    } catch (rejection) {
      if (rejection instanceof Error) throw rejection;
      const seconds = Math.ceil((rejection as RateLimiterRes).msBeforeNext / 1000);
      throw new ProblemError('rate_limited', `Wait ${seconds} s, then try again.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    }
  };
}
