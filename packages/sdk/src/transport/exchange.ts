import { ConnectionError, InvalidResponseError } from '../errors/errors.ts';
import type { AttemptEvent } from '../options/hooks.ts';
import { toApiError } from './problem.ts';
import { redact } from './redact.ts';
import { buildHeaders, buildInit, labelOf, type PreparedRequest } from './request.ts';
import type { ResolvedOptions } from './resolved-options.ts';
import { type RawResponse, readResponse } from './response.ts';

/** The parameters of one attempt. */
export interface Attempt {
  readonly accessToken: string;
  readonly signal: AbortSignal;
  readonly event: AttemptEvent;
  /** Whether the response to an earlier attempt of a write was lost. */
  readonly isAfterLost: boolean;
}

/**
 * Sends a request once and reads the whole response.
 *
 * @throws ApiError for an error status.
 * @throws ConnectionError
 * @throws InvalidResponseError for a redirect.
 */
export async function exchange(
  request: PreparedRequest,
  { accessToken, signal, event, isAfterLost }: Attempt,
  options: ResolvedOptions,
): Promise<RawResponse> {
  const { baseUrl, fetch, fetchOptions, logger, clock } = options;
  const change = (own: Headers) => options.onRequest?.({ ...event, headers: own });
  const headers = buildHeaders(request, options.headers, change);
  logger.debug?.(`${labelOf(event)} sent`, {
    attempt: event.attempt,
    headers: redact(Object.fromEntries(headers)),
    body: redact(request.body),
  });
  headers.set('authorization', `Bearer ${accessToken}`);
  const init = buildInit(request, headers, signal, fetchOptions);
  const startedAt = clock.now();
  // Not called as a method: some platforms refuse a `fetch` with another `this`.
  const send = fetch ?? globalThis.fetch;
  const { method, path, route } = event;
  const sent = { request: `${method} ${baseUrl}${route}`, method, url: baseUrl + path };
  let response: RawResponse;
  try {
    response = await readResponse(sent, await send(baseUrl + request.target, init));
  } catch (cause) {
    throw new ConnectionError(`${request.label}: the connection to ${baseUrl} failed.`, { cause });
  }
  // An attempt that timed out or was aborted has already failed. Its response is ignored.
  if (!signal.aborted) report(response, event, clock.now() - startedAt, options);
  if (response.redirected) {
    const message = `${request.label} was redirected. Set baseUrl to the final address.`;
    throw new InvalidResponseError(message, response);
  }
  if (response.status >= 200 && response.status < 300) return response;
  throw toApiError(response, { now: clock.now(), isAfterLost });
}

function report(
  { status, headers, requestId }: RawResponse,
  event: AttemptEvent,
  duration: number,
  { logger, onResponse }: ResolvedOptions,
): void {
  logger.debug?.(`${labelOf(event)} responded`, { status, requestId, duration });
  onResponse?.({ ...event, status, headers, requestId, duration });
}
