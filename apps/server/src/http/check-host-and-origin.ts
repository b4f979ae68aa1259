import type { RequestHandler } from 'express';
import { type HostAndOrigin, preflightHeaders } from './host-and-origin.ts';
import { checkRepeatedIdentity } from './repeated-headers.ts';

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
