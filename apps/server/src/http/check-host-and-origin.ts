import type { RequestHandler } from 'express';
import { ProblemError } from '../platform/problem-error.ts';
import { type HostAndOrigin, preflightHeaders } from './host-and-origin.ts';
import { hasRepeatedIdentity } from './repeated-headers.ts';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';

/** Checks `Host` and `Origin`, sets the CORS headers, and answers CORS preflights. */
export function checkHostAndOrigin(hostAndOrigin: HostAndOrigin): RequestHandler {
  return (req, res, next) => {
    if (hasRepeatedIdentity(req.rawHeaders)) {
      throw new ProblemError(
        'validation_failed',
        'Send the Host header and the Authorization header only once.',
      );
    }
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
