import type { Request } from 'express';
import type { Authenticator } from '../identity/authenticator.ts';
import { requireBearer } from '../identity/bearer.ts';
import type { Caller } from '../identity/caller.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { addressBlockOf } from './client-address.ts';
import type { RateLimit } from './rate-limit.ts';

export interface IdentifyDeps {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
}

/**
 * Authenticates the caller. A valid token is accepted from any address, however many invalid ones came
 * from there.
 *
 * @throws ProblemError `unauthenticated`, or `rate_limited` once the address has used up its attempts.
 */
export async function identify(req: Request, deps: IdentifyDeps): Promise<Caller> {
  const { authenticator, rateLimit } = deps;
  try {
    const token = requireBearer(req.headers.authorization);
    return authenticator.authenticateCached(token) ?? (await authenticator.authenticate(token));
  } catch (error) {
    const source = addressBlockOf(req.ip ?? '');
    throw await limitFailedAuthentication(error, () => rateLimit.countFailure(source));
  }
}

/**
 * Counts an `unauthenticated` error against the caller's address; other errors are not counted.
 *
 * @param countFailure rejects with `rate_limited` once the address has used up its attempts.
 * @returns the error to respond with: that one, or else the given one.
 */
export async function limitFailedAuthentication(
  error: unknown,
  countFailure: () => Promise<void>,
): Promise<unknown> {
  if (!(error instanceof ProblemError) || error.code !== 'unauthenticated') return error;
  try {
    await countFailure();
    return error;
  } catch (limited) {
    return limited;
  }
}
