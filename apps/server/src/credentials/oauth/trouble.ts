import { UpstreamOauthError } from './upstream-error.ts';

/** Milliseconds. What a provider asks for beyond it, it does not get. */
const MAX_RETRY_AFTER = 60 * 60 * 1000;

/**
 * The error of a response whose status alone says that another attempt may succeed (RFC 9110
 * section 15); undefined for any other status.
 *
 * @param retryAfter the value of `Retry-After`
 */
export function troubleOf(
  status: number,
  retryAfter: string | null | undefined,
): UpstreamOauthError | undefined {
  const code = codeOf(status);
  return code === undefined ? undefined : new UpstreamOauthError(code, waitOf(retryAfter));
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
export function waitOf(retryAfter: string | null | undefined): { readonly retryAfter?: number } {
  if (!retryAfter) return {};
  const isSeconds = /^\d{1,9}$/.test(retryAfter);
  const wait = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return wait >= 0 ? { retryAfter: Math.min(wait, MAX_RETRY_AFTER) } : {};
}

function codeOf(status: number) {
  if (status === 429) return 'rate_limited';
  if (status === 408) return 'timeout';
  return status >= 500 ? 'server_error' : undefined;
}
