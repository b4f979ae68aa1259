import type { RequestHandler } from 'express';
import { ProblemError } from '../platform/problem-error.ts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

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

/** The allowed values of `Host`: the scheme's default port may be written out (RFC 9110 section 4.2.3). */
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

/**
 * The origins of our pages. A local service has three names, and people type any of them; each has its
 * own cookies.
 */
export function ownOriginsOf(publicUrl: string): ReadonlySet<string> {
  const { origin, hostname, port, protocol } = new URL(publicUrl);
  if (!LOOPBACK_NAMES.includes(hostname)) return new Set([origin]);
  const authority = port === '' ? '' : `:${port}`;
  return new Set(LOOPBACK_NAMES.map((name) => `${protocol}//${name}${authority}`));
}

const METHODS = 'GET, POST, PUT, PATCH, DELETE';

/** Checks `Host` and `Origin`, sets the CORS headers, and answers CORS preflights. */
export function checkHostAndOrigin(hostAndOrigin: HostAndOrigin): RequestHandler {
  return (req, res, next) => {
    checkRepeatedIdentity(req.rawHeaders);
    const { host, origin } = req.headers;
    hostAndOrigin.check(host, origin);
    if (origin === undefined) return next();
    for (const [name, value] of hostAndOrigin.corsHeaders(origin)) res.setHeader(name, value);
    if (req.method !== 'OPTIONS' || !req.headers['access-control-request-method']) return next();
    const requested = req.headers['access-control-request-headers'];
    for (const [name, value] of preflightHeaders(METHODS, requested)) res.setHeader(name, value);
    res.status(204).end();
  };
}

/**
 * Node keeps only one of several `Host` or `Authorization` headers; we must not guess which one to trust.
 *
 * @throws ProblemError `validation_failed`
 */
export function checkRepeatedIdentity(rawHeaders: readonly string[]): void {
  let hosts = 0;
  let authorizations = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts <= 1 && authorizations <= 1) return;
  throw new ProblemError(
    'validation_failed',
    'Send the Host header and the Authorization header only once.',
  );
}
