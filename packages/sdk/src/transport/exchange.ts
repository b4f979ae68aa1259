import { ConnectionError, InvalidResponseError } from '../errors/errors.ts';
import type { AttemptEvent } from '../options/hooks.ts';
import { toApiError } from './problem.ts';
import { redact } from './redact.ts';
import { buildHeaders, buildInit, type PreparedRequest } from './request.ts';
import type { ResolvedOptions } from './resolved-options.ts';
import { type RawResponse, readResponse } from './response.ts';

/** What one attempt needs besides the request. */
export interface Attempt {
  readonly accessToken: string;
  readonly signal: AbortSignal;
  readonly event: AttemptEvent;
}

/**
 * Sends a request once and reads its answer to the end.
 *
 * @throws ApiError for every status that is no success.
 * @throws ConnectionError
 * @throws InvalidResponseError for a redirect.
 */
export async function exchange(
  request: PreparedRequest,
  { accessToken, signal, event }: Attempt,
  options: ResolvedOptions,
): Promise<RawResponse> {
  const { baseUrl, fetch, fetchOptions, logger, clock } = options;
  const headers = buildHeaders(request, (own) => options.onRequest?.({ ...event, headers: own }));
  logger.debug?.(`${event.method} ${event.path} sent`, {
    attempt: event.attempt,
    headers: redact(Object.fromEntries(headers)),
    body: redact(request.body),
  });
  headers.set('authorization', `Bearer ${accessToken}`);
  const init = buildInit(request, headers, signal, fetchOptions);
  const begun = clock.now();
  // Not called as a method: some platforms refuse a `fetch` with another `this`.
  const send = fetch ?? globalThis.fetch;
  let response: RawResponse;
  try {
    response = await readResponse(await send(baseUrl + request.target, init));
  } catch (cause) {
    throw new ConnectionError(`${request.label}: the connection to ${baseUrl} failed.`, { cause });
  }
  // An attempt that was cut off has failed already; its answer is nobody's.
  if (!signal.aborted) report(response, event, clock.now() - begun, options);
  if (response.redirected) {
    const message = `${request.label} was redirected; baseUrl must be final.`;
    throw new InvalidResponseError(message, response);
  }
  if (response.status >= 200 && response.status < 300) return response;
  throw toApiError(response, clock.now());
}

function report(
  { status, headers, requestId }: RawResponse,
  event: AttemptEvent,
  duration: number,
  { logger, onResponse }: ResolvedOptions,
): void {
  logger.debug?.(`${event.method} ${event.path} answered`, { status, requestId, duration });
  onResponse?.({ ...event, status, headers, requestId, duration });
}
