import { type RequestHandler, Router } from 'express';
import { notAllowed } from '../http/not-found.ts';
import { consoleDirectory, documentationDirectory } from '../platform/database/package-files.ts';
import { type BrowserRequestDeps, issueToken, signOut } from './browser-requests.ts';
import { serveBuilt } from './built-files.ts';
import { documentationRouter } from './documentation.ts';

/**
 * The console: its files below `/console`, and what its page asks of the server beside the management API. A
 * browser that opens `/` goes there. The documentation, to which it links, is below `/docs`.
 */
export function consoleRouter(deps: BrowserRequestDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/', (req, res, next) => {
    if (req.accepts(['json', 'html']) !== 'html') return next('router');
    res.redirect(303, '/console');
  });
  router.all('/', () => {
    throw notAllowed(['GET']);
  });
  router.post('/console/token', issueToken(deps));
  router.post('/console/sign-out', signOut(deps));
  router.all(['/console/token', '/console/sign-out'], () => {
    throw notAllowed(['POST']);
  });
  router.use('/console', consoleFiles());
  router.use(documentationRouter(documentationDirectory()));
  return router;
}

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
function consoleFiles(): RequestHandler {
  const folder = consoleDirectory();
  if (folder === undefined) return (_req, _res, next) => next();
  return serveBuilt({ folder, policy: POLICY, isSinglePage: true });
}
