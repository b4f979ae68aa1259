import { ProblemError } from '../platform/problem-error.ts';
import { ownOriginsOf } from './own-origins.ts';

export interface HostAndOriginOptions {
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
}

/** Checks `Host` and `Origin`: protection against DNS rebinding and foreign web pages. */
export interface HostAndOrigin {
  /** @throws ProblemError `validation_failed`, `host_not_allowed` or `origin_not_allowed` (403; MCP transports, "Security Warning"). */
  check(host: string | undefined, origin: string | undefined): void;
  /** The CORS response headers for an allowed `Origin`. */
  corsHeaders(origin: string): readonly (readonly [string, string])[];
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const EXPOSED =
  'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate';

export function createHostAndOrigin(options: HostAndOriginOptions): HostAndOrigin {
  const publicHosts = hostsOf(new URL(options.publicUrl));
  const allowed = `${publicHosts[0]} (from GATEHOUSE_PUBLIC_URL), localhost, 127.0.0.1 and [::1]`;
  const origins = new Set([...ownOriginsOf(options.publicUrl), ...options.allowedOrigins]);
  return {
    check(host, origin) {
      // RFC 9112 section 3.2
      if (host === undefined) throw new ProblemError('validation_failed', 'Send a Host header.');
      if (!publicHosts.includes(host.toLowerCase()) && !LOOPBACK.test(host)) {
        throw new ProblemError(
          'host_not_allowed',
          `This service is not available under that Host name. Allowed are ${allowed}.`,
        );
      }
      if (origin !== undefined && !origins.has(origin)) {
        throw new ProblemError(
          'origin_not_allowed',
          'Requests from that web origin are not allowed.',
        );
      }
    },
    corsHeaders: (origin) => [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Expose-Headers', EXPOSED],
      ['Vary', 'Origin'],
    ],
  };
}

/** As `Host` may name them: a port that is the default of the scheme may be written out (RFC 9110 section 4.2.3). */
function hostsOf({ host, port, protocol }: URL): readonly [string, ...string[]] {
  return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host];
}

/** Response headers for a CORS preflight (Fetch standard, "CORS-preflight request"). */
export function preflightHeaders(
  methods: string,
  requestedHeaders: string | undefined,
): readonly (readonly [string, string])[] {
  return [
    ['Access-Control-Allow-Methods', methods],
    ['Access-Control-Allow-Headers', requestedHeaders ?? 'Authorization, Content-Type'],
    ['Access-Control-Max-Age', '600'],
  ];
}
