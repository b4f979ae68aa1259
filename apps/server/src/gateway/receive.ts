import { type HostAndOrigin, preflightHeaders } from '../http/host-and-origin.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { ClientRequest } from './ports.ts';

const SERVED = 'POST, GET, DELETE';
const METHODS = new Set<string | undefined>(SERVED.split(', '));

/** A request that has arrived. */
interface Received {
  readonly request: Pick<ClientRequest, 'method' | 'headers' | 'inbound'>;
  /** @param corsHeaders sent with every response: name, value, name, value … */
  allowOrigin(corsHeaders: readonly string[]): void;
  respondToPreflight(headers: readonly string[]): void;
}

/**
 * Checks host, origin and method.
 *
 * @returns 'preflight' for a CORS preflight, which has been responded to.
 * @throws ProblemError `validation_failed`, `host_not_allowed`, `origin_not_allowed`, `method_not_allowed`
 */
export function receive(call: Received, hostAndOrigin: HostAndOrigin): 'preflight' | 'call' {
  const { inbound, method, headers } = call.request;
  if (inbound.isAmbiguous) {
    throw new ProblemError('validation_failed', 'An identifying header may be sent only once.');
  }
  const { origin } = inbound;
  hostAndOrigin.check(inbound.host, origin);
  if (origin !== undefined) call.allowOrigin(hostAndOrigin.corsHeaders(origin).flat());
  if (METHODS.has(method)) return 'call';
  const isPreflight = headers['access-control-request-method'] !== undefined;
  if (method === 'OPTIONS' && origin !== undefined && isPreflight) {
    const requested = headers['access-control-request-headers'];
    call.respondToPreflight(preflightHeaders(SERVED, requested?.toString()).flat());
    return 'preflight';
  }
  throw new ProblemError('method_not_allowed', 'Use POST, GET or DELETE.', {
    headers: { Allow: `${SERVED}, OPTIONS` },
  });
}
