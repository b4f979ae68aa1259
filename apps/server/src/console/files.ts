import type { RequestHandler } from 'express';
import { consoleDirectory } from '../platform/database/package-files.ts';
import { serveBuilt } from './built-files.ts';

/**
 * Nothing comes from elsewhere, nothing is evaluated, and no other page may frame it. The one policy of Trusted Types
 * is for the URL of a worker, which browsers check as they do a script's.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types gatehouse',
].join('; ');

/** The built files; every path that is not a file is a view, which the page itself routes to. */
export function consoleFiles(): RequestHandler {
  const folder = consoleDirectory();
  if (folder === undefined) return (_req, _res, next) => next();
  return serveBuilt({ folder, policy: POLICY, isSinglePage: true });
}
