import type { Request } from 'express';
import type { Actor } from '../identity/actor.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import { requireBearer } from '../identity/bearer.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { RateLimit } from './rate-limit.ts';

export interface IdentifyDeps {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
}

/**
 * Who calls. A right token is known from any address, however many wrong ones came from there.
 *
 * @throws ProblemError `unauthenticated`, or `rate_limited` once the address has used up its tries.
 */
export async function identify(req: Request, deps: IdentifyDeps): Promise<Actor> {
  const { authenticator, rateLimit } = deps;
  try {
    const token = requireBearer(req.headers.authorization);
    return authenticator.peek(token) ?? (await authenticator.authenticate(token));
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'unauthenticated') {
      await rateLimit.countFailure(req.ip ?? 'unknown');
    }
    throw error;
  }
}
