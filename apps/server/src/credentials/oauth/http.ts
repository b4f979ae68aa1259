import type { Egress } from '../../egress/egress.ts';
import { EgressError } from '../../egress/errors.ts';
import { type EgressFetch, fetchThroughEgress } from '../../egress/fetch-through-egress.ts';
import type { EgressRequest, EgressResponse } from '../../egress/request.ts';
import { oauthSender } from '../../egress/sender.ts';
import { UpstreamOauthError } from './upstream-error.ts';

/**
 * Requests of one person or integration to authorization servers. No redirect is followed, and a
 * response may take 256 KiB and 10 s at most. Plain http goes to allowed networks only.
 */
export interface OauthHttp {
  /** @throws UpstreamOauthError */
  request(url: string, request: Omit<EgressRequest, 'maxBytes'>): Promise<EgressResponse>;
  /** For oauth4webapi. Throws UpstreamOauthError, which the library lets through. */
  readonly fetch: EgressFetch;
}

const MAX_BYTES = 256 * 1024;

/** Milliseconds for one request, the connection included. */
const TIMEOUT = 10_000;

/**
 * @param sender its connections are used, which are not shared.
 * @param timeout milliseconds for one request, at most
 */
export function createOauthHttp(
  egress: Pick<Egress, 'request'>,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  timeout = TIMEOUT,
): OauthHttp {
  const sender = oauthSender(organizationId, userId);
  const request: OauthHttp['request'] = async (url, { headers = [], signal, ...rest }) => {
    try {
      const response = await egress.request(url, {
        ...rest,
        // GitHub's API refuses requests without it.
        headers: [['user-agent', 'Gatehouse'], ...headers],
        maxBytes: MAX_BYTES,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
        sender,
      });
      const isTooLong = response.isTruncated && rest.until === undefined;
      if (isTooLong) throw new UpstreamOauthError('response_invalid');
      return response;
    } catch (error) {
      throw error instanceof EgressError ? new UpstreamOauthError(codeOf(error)) : error;
    }
  };
  const limits = { sender, maxBytes: MAX_BYTES, timeout, passedHeaders: ['retry-after'] };
  return { request, fetch: fetchThroughEgress({ request }, limits) };
}

function codeOf({ kind, reason }: EgressError) {
  if (kind === 'timeout') return 'timeout';
  if (kind !== 'denied') return 'unreachable';
  return reason === 'plain_http_with_credentials' ? 'insecure_endpoint' : 'egress_denied';
}
