import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { notAllowed } from '../http/not-found.ts';
import { html } from '../http/pages/html.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { serveBuilt, setPolicy } from './built-files.ts';

/** The site has its scripts and styles in files. It writes the pages that it fetches as text, so no Trusted Types. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const BASE = '/docs';

/** The documentation, each page at `/docs/<name>`. @param folder the built site; undefined without a build */
export function documentationRouter(folder: string | undefined): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.all(
    [BASE, `${BASE}/`, `${BASE}/*page`],
    folder === undefined ? sayNotBuilt : documentation(folder),
  );
  return router;
}

function documentation(folder: string): RequestHandler {
  const serve = serveBuilt({ folder, policy: POLICY, isSinglePage: false });
  const notFound = readFileSync(join(folder, '404.html'));
  return (req, res) => {
    req.url = req.url.slice(BASE.length).replace(/^(?!\/)/, '/');
    serve(req, res, () => {
      setPolicy(res, POLICY);
      res.setHeader('Cache-Control', 'no-cache');
      res.status(404).type('html').send(notFound);
    });
  };
}

const sayNotBuilt: RequestHandler = (req, res) => {
  if (req.method !== 'GET' && req.method !== 'HEAD') throw notAllowed(['GET']);
  sendPage(res, {
    status: 404,
    title: 'The documentation is not here',
    body: html`<p>This Gatehouse was built without it. In its repository, <code>npm run docs:site</code> builds the documentation.</p>
<a class="button secondary" href="/console">Open the console</a>`,
  });
};
