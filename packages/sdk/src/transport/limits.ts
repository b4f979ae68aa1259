import { InvalidArgumentError } from '../errors/errors.ts';
import { assertTimeout } from './deadline.ts';

/** How long a call may take and how often it may be repeated. */
export interface Limits {
  readonly timeout: number;
  /** Infinity for no limit. */
  readonly totalTimeout: number;
  readonly maxRetries: number;
}

/** @throws InvalidArgumentError naming the limit that is out of range. */
export function assertLimits({ timeout, totalTimeout, maxRetries }: Limits): void {
  assertTimeout(timeout);
  if (totalTimeout !== Infinity) assertTimeout(totalTimeout, 'totalTimeout');
  if (Number.isSafeInteger(maxRetries) && maxRetries >= 0) return;
  throw new InvalidArgumentError('maxRetries must be a non-negative integer.');
}
