import { readFileSync, statSync } from 'node:fs';
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

/**
 * The documentation, each page at `/docs/<name>`. A site that is built while the server runs is shown from the next
 * request on.
 *
 * @param folder where a build puts the site
 */
export function documentationRouter(folder: string): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true });
  let site: Site | undefined;
  return router.all([BASE, `${BASE}/`, `${BASE}/*page`], (req, res, next) => {
    const build = buildIn(folder);
    if (build !== site?.build) {
      site = build === undefined ? undefined : { build, serve: serveSite(folder) };
    }
    return (site?.serve ?? sayNotBuilt)(req, res, next);
  });
}

interface Site {
  readonly build: string;
  readonly serve: RequestHandler;
}

/** Each build is another folder in the same place; `undefined` without one. */
function buildIn(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.mtimeMs}`;
}

function serveSite(folder: string): RequestHandler {
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
    title: 'The documentation is not here yet',
    body: html`<p><code>npm start</code> builds it while the server runs: reload this page in a minute. After any other start, <code>npm run docs:site</code> in the repository of Gatehouse builds it.</p>
<a class="button secondary" href="/console">Open the console</a>`,
  });
};
