import { ProblemError } from '../platform/problem-error.ts';

export interface HostAndOriginOptions {
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
}

/** Whether a request may speak to this service at all, judged by `Host` and `Origin` alone. */
export interface HostAndOrigin {
  /** @throws ProblemError `validation_failed`, `host_not_allowed` or `origin_not_allowed` (403; MCP transports, "Security Warning"). */
  check(host: string | undefined, origin: string | undefined): void;
  /** The response headers of CORS for an allowed `Origin`. */
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
          'This service does not answer to that Host name.',
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

/** The answer to a CORS preflight (Fetch standard, "CORS-preflight request"), where `methods` are served. */
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
