import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { addressBlockOf } from '../http/client-address.ts';
import { normalizeEmail } from '../identity/people.ts';
import { atMost } from '../platform/at-most.ts';
import { MinuteBudget } from '../platform/minute-budget.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { Turn } from '../platform/slots.ts';
import { QueueRanks } from './queue-ranks.ts';

/** Attempts in a minute of an address. */
const PER_ADDRESS = 20;

/** One attempt with a password. */
export interface Attempt {
  readonly address: string;
  /** The email as entered, whether or not there is such a person. */
  readonly email: string;
  /** A browser that this person has signed in with before: it is not slowed down by what others try. */
  readonly knownBrowser: string | undefined;
}

/** Slows down password guessing on this node. */
export interface Throttle {
  /**
   * Counts an attempt before the password is compared.
   *
   * @returns when its password is compared, if many wait
   * @throws ProblemError `rate_limited` after 20 failures a minute from an address, or too soon after ten
   *   failures for a person
   */
  begin(attempt: Attempt): Promise<Turn>;
  /** The password was right. */
  succeed(attempt: Attempt): Promise<void>;
  /** The password was not compared: too many waited. */
  withdraw(attempt: Attempt): void;
}

export function createThrottle(): Throttle {
  const addresses = new MinuteBudget(PER_ADDRESS);
  const people = new AttemptDelays();
  const queue = new QueueRanks();
  const giveBack = ({ address, knownBrowser }: Attempt): void => {
    if (knownBrowser !== undefined) return;
    addresses.giveBack(addressBlockOf(address));
    queue.giveBack(address);
  };
  return {
    async begin(attempt) {
      const { address, knownBrowser } = attempt;
      const source = addressBlockOf(address);
      const wait = knownBrowser === undefined ? addresses.take(source) : 0;
      if (wait > 0) throw limited(wait);
      const delay = people.attempt(personKeyOf(attempt));
      if (delay > 0) throw limited(delay);
      if (knownBrowser !== undefined) return { key: knownBrowser };
      return { key: source, rank: queue.take(address) };
    },
    async succeed(attempt) {
      people.forget(personKeyOf(attempt));
      giveBack(attempt);
    },
    withdraw: giveBack,
  };
}

/** A hash, so that memory holds no typed text and keys are short. */
function personKeyOf({ email, knownBrowser = '' }: Attempt): string {
  return hash('sha256', `${knownBrowser} ${normalizeEmail(email)}`, 'base64');
}

function limited(milliseconds: number): ProblemError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new ProblemError(
    'rate_limited',
    `Too many wrong passwords were tried. Wait ${seconds} s, then try again.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/** Attempts without any delay. */
const FREE = 10;

/** Milliseconds: the first delay, which doubles with every attempt, and the longest. */
const FIRST = 1_000;
const LONGEST = 60_000;

/** Milliseconds without an attempt after which a record is dropped. */
const REMEMBERED = 24 * 60 * 60 * 1000;

/** About 200 bytes each. Those that were tried least recently are forgotten first. */
const MAX_KEYS = 20_000;

interface Attempts {
  readonly count: number;
  /** By `performance.now()`. */
  readonly nextAt: number;
}

/**
 * Slows guessing down: ten attempts at once, then one after 1 s, 2 s, 4 s and so on up to a minute.
 * A minute is the longest wait.
 */
export class AttemptDelays {
  readonly #attempts = new LRUCache<string, Attempts>({ ...atMost(MAX_KEYS), ttl: REMEMBERED });

  /** Counts an attempt, unless it comes too early. @returns the milliseconds to wait; 0 to go on */
  attempt(key: string): number {
    const now = performance.now();
    const { count, nextAt } = this.#attempts.get(key) ?? { count: 0, nextAt: now };
    if (nextAt > now) return nextAt - now;
    const over = count + 1 - FREE;
    const delay = over < 0 ? 0 : Math.min(LONGEST, FIRST * 2 ** over);
    this.#attempts.set(key, { count: count + 1, nextAt: now + delay });
    return 0;
  }

  /** The right password was given. */
  forget(key: string): void {
    this.#attempts.delete(key);
  }
}
