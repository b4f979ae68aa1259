import type { RequestHandler } from 'express';
import type { BrowserSessions } from '../identity/browser-sessions.ts';
import { addressBlockOf } from './client-address.ts';
import type { Strangers } from './strangers.ts';

/** Where a request is only let in with a token: refused tokens have their own limit. The document needs no token. */
const WITH_TOKEN = /^\/(?:(?:api\/v1(?!\/openapi\.json$)|mcp)(?:\/|$)|metrics$)/;

/** What balancers and supervisors ask all the time, and what costs next to nothing. */
const CHECKS = /^\/(?:healthz|readyz)$/;

/** Counts requests that need no token. @throws ProblemError `rate_limited`, `overloaded` */
export function countStrangers(strangers: Strangers): RequestHandler {
  return (req, res, next) => {
    const { path } = req;
    if (WITH_TOKEN.test(path) || CHECKS.test(path)) return next();
    const source = addressBlockOf(req.ip ?? '');
    strangers.admit(source, path, req, res);
    if (path === '/oauth/token') {
      res.once('finish', () => {
        if (res.statusCode < 400) strangers.giveBack(source);
      });
    }
    next();
  };
}

/** The same sign-ins; a browser that is found signed in is no stranger. */
export function noteSignedIn(sessions: BrowserSessions, strangers: Strangers): BrowserSessions {
  return {
    ...sessions,
    async find(cookieHeader, options) {
      const person = await sessions.find(cookieHeader, options);
      if (person !== undefined) strangers.know(cookieHeader);
      return person;
    },
  };
}
