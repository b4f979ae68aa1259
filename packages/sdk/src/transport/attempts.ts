import { isApiError } from '../errors/api-errors.ts';
import { type GatehouseError, isGatehouseError } from '../errors/errors.ts';
import type { AttemptEvent } from '../options/hooks.ts';
import { withDeadline } from './deadline.ts';
import { exchange } from './exchange.ts';
import { takesKey } from './idempotency.ts';
import { labelOf, type PreparedRequest } from './request.ts';
import type { ResolvedOptions } from './resolved-options.ts';
import type { RawResponse } from './response.ts';
import { isLost } from './retry.ts';
import { createRetryPlan } from './retry-plan.ts';

/**
 * Sends a request until an attempt succeeds or its failure is final. Retries once with a new token
 * after a 401, and up to `maxRetries` times after a transient failure.
 */
export async function sendRequest(
  request: PreparedRequest,
  options: ResolvedOptions,
): Promise<RawResponse> {
  const { accessTokens, clock, logger } = options;
  const {
    label,
    options: { signal },
  } = request;
  const name = labelOf(request.event);
  const plan = createRetryPlan(request, options);
  let isAfterLost = false;

  for (let attempt = 1; ; attempt += 1) {
    const event: AttemptEvent = { ...request.event, attempt };
    let usedToken: string | undefined;
    try {
      return await withDeadline({ label, signal, ...plan.nextTimeout() }, async (signal) => {
        usedToken = await accessTokens.get();
        return exchange(request, { accessToken: usedToken, signal, event, isAfterLost }, options);
      });
    } catch (error) {
      // Any other error was thrown by a hook.
      if (!isGatehouseError(error)) throw error;
      // The caller's signal may have timed out. That is no timeout of an attempt.
      const delay = signal?.aborted ? undefined : plan.delayAfter(error, usedToken);
      if (delay === undefined) {
        logger.info?.(`${name} failed`, loggedFields(error));
        throw error;
      }
      logger.info?.(`${name} will be retried`, { ...loggedFields(error), delay });
      options.onRetry?.({ ...event, error, delay });
      isAfterLost ||= takesKey(event.method) && isLost(error);
      await withDeadline({ label, signal }, (signal) => clock.sleep(delay, signal));
    }
  }
}

/** The fields of an error that may be logged: not its cause, and no headers or body. */
function loggedFields(error: GatehouseError): object {
  const { code } = error;
  return isApiError(error) ? { code, status: error.status, requestId: error.requestId } : { code };
}
