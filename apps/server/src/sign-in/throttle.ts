import { hash } from 'node:crypto';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { addressBlockOf } from '../http/address-block.ts';
import { normalizeEmail } from '../identity/people.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { AttemptDelays } from './attempt-delays.ts';

const PER_ADDRESS = { points: 20, duration: 60 };

/** One attempt with a password. */
export interface Attempt {
  readonly address: string;
  /** As given, whether or not there is such a person. */
  readonly email: string;
  /** A browser that this person has signed in with before: it is not slowed down by what others try. */
  readonly knownBrowser: string | undefined;
}

/** Slows guessing of passwords down, on this node. */
export interface Throttle {
  /**
   * Counts an attempt before the password is compared.
   *
   * @throws ProblemError `rate_limited` after 20 failures a minute from an address, or too soon after ten
   *   failures for a person
   */
  begin(attempt: Attempt): Promise<void>;
  /** The password was right. */
  succeed(attempt: Attempt): Promise<void>;
}

export function createThrottle(): Throttle {
  // One timer and about 300 bytes for each address of the last minute: as many as requests reach this node.
  const addresses = new RateLimiterMemory(PER_ADDRESS);
  const people = new AttemptDelays();
  return {
    async begin(attempt) {
      if (attempt.knownBrowser === undefined) await consume(addresses, addressKeyOf(attempt));
      const wait = people.attempt(personKeyOf(attempt));
      if (wait > 0) throw limited(wait);
    },
    async succeed(attempt) {
      people.forget(personKeyOf(attempt));
      if (attempt.knownBrowser === undefined) await addresses.reward(addressKeyOf(attempt));
    },
  };
}

function addressKeyOf({ address }: Attempt): string {
  return addressBlockOf(address);
}

/** A hash, so that no memory of what was typed remains, and keys are short. */
function personKeyOf({ email, knownBrowser = '' }: Attempt): string {
  return hash('sha256', `${knownBrowser} ${normalizeEmail(email)}`, 'base64');
}

/** The limiter rejects with its result over the limit, and with an Error when it fails. */
async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (rejection) {
    if (rejection instanceof Error) throw rejection;
    throw limited((rejection as RateLimiterRes).msBeforeNext);
  }
}

function limited(milliseconds: number): ProblemError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new ProblemError(
    'rate_limited',
    `Somebody has tried too many wrong passwords. Wait ${seconds} s, then try again.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
