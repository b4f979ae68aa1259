import { ProblemError } from '../platform/problem-error.ts';

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
  const publicHost = new URL(options.publicUrl).host.toLowerCase();
  const origins = new Set([new URL(options.publicUrl).origin, ...options.allowedOrigins]);
  return {
    check(host, origin) {
      // RFC 9112 section 3.2
      if (host === undefined) throw new ProblemError('validation_failed', 'Send a Host header.');
      if (host.toLowerCase() !== publicHost && !LOOPBACK.test(host)) {
        throw new ProblemError(
          'host_not_allowed',
          'This service is not available under that Host name.',
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
