import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { ProblemError } from '../../platform/problem-error.ts';
import { addressBlockOf } from '../address-block.ts';

/** A whole office may have one address. */
const PER_ADDRESS = { points: 120, duration: 60 };

/** Counts how often an address begins to sign in at the provider, because each time writes a row. */
export function createBeginnings(): (address: string) => Promise<void> {
  const limiter = new RateLimiterMemory(PER_ADDRESS);
  return async (address) => {
    try {
      await limiter.consume(addressBlockOf(address));
    } catch (rejection) {
      if (rejection instanceof Error) throw rejection;
      const seconds = Math.ceil((rejection as RateLimiterRes).msBeforeNext / 1000);
      throw new ProblemError('rate_limited', `Wait ${seconds} s, then try again.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    }
  };
}
