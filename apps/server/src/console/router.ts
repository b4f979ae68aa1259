import { Router } from 'express';
import { notAllowed } from '../http/not-found.ts';
import { documentationDirectory } from '../platform/database/package-files.ts';
import { type BrowserRequestDeps, issueToken, signOut } from './browser-requests.ts';
import { documentationRouter } from './documentation.ts';
import { consoleFiles } from './files.ts';

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
