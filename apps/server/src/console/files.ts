import type { RequestHandler } from 'express';
import sirv from 'sirv';
import { notAllowed } from '../http/not-found.ts';
import { consoleDirectory } from '../platform/database/package-files.ts';

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

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
} as const;

/**
 * The built files. Those below `assets` have a hash in their names, so browsers keep them; every other path is a view,
 * which the page itself routes to.
 */
export function consoleFiles(): RequestHandler {
  const folder = consoleDirectory();
  if (folder === undefined) return (_req, _res, next) => next();
  const serve = sirv(folder, {
    single: true,
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders(res, path) {
      const lasts = path.startsWith('/assets/');
      res.setHeader('Cache-Control', lasts ? 'public, max-age=31536000, immutable' : 'no-cache');
      for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value);
    },
  });
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') throw notAllowed(['GET']);
    // sirv would look for it among the views.
    if (req.path.startsWith('/assets/') && req.path.includes('%')) return next();
    serve(req, res, next);
  };
}
