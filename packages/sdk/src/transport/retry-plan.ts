import { isApiError } from '../errors/api-errors.ts';
import type { GatehouseError } from '../errors/errors.ts';
import { assertLimits } from './limits.ts';
import type { PreparedRequest } from './request.ts';
import type { ResolvedOptions } from './resolved-options.ts';
import { backoff, isSafeToRetry, isTransient } from './retry.ts';

/** Decides for one call how long each attempt may take and whether to retry. */
export interface RetryPlan {
  /** Both in milliseconds: how long the next attempt may take, and the option that sets it. */
  nextTimeout(): { readonly timeout: number; readonly reportedTimeout: number };
  /** Milliseconds to wait before the retry, or `undefined` when the failure is final. */
  delayAfter(error: GatehouseError, usedToken: string | undefined): number | undefined;
}

/** @throws InvalidArgumentError for a limit of the call that is out of range. */
export function createRetryPlan(
  { event, idempotencyKey, options }: PreparedRequest,
  { clock, accessTokens, ...defaults }: ResolvedOptions,
): RetryPlan {
  const timeout = options.timeout ?? defaults.timeout;
  const totalTimeout = options.totalTimeout ?? defaults.totalTimeout;
  const maxRetries = options.maxRetries ?? defaults.maxRetries;
  assertLimits({ timeout, totalTimeout, maxRetries });
  const end = clock.now() + totalTimeout;
  let retries = 0;
  let isTokenReplaced = false;

  return {
    nextTimeout() {
      const left = end - clock.now();
      if (left < timeout) return { timeout: left, reportedTimeout: totalTimeout };
      return { timeout, reportedTimeout: timeout };
    },
    delayAfter(error, usedToken) {
      const response = isApiError(error) ? error : undefined;
      if (response?.status === 401 && usedToken && !isTokenReplaced) {
        isTokenReplaced = true;
        return accessTokens.drop(usedToken) ? 0 : undefined;
      }
      if (retries === maxRetries || !isTransient(error)) return undefined;
      if (!isSafeToRetry(event.method, idempotencyKey, error)) return undefined;
      retries += 1;
      const retryAfter = response?.retryAfter ?? 0;
      const delay = Math.max(retryAfter, backoff(retries, clock.random()));
      const left = end - clock.now();
      return delay < left && (retryAfter <= timeout || Number.isFinite(left)) ? delay : undefined;
    },
  };
}
