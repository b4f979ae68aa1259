import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { RequestHandler } from 'express';
import sirv from 'sirv';
import { notAllowed } from '../http/not-found.ts';

export interface BuiltFiles {
  readonly folder: string;
  /** The content security policy of each response. */
  readonly policy: string;
  /** One page routes every path itself. */
  readonly isSinglePage: boolean;
}

/**
 * Serves what a build has made, each file as compressed as the browser takes it. Those below `assets` have a hash in
 * their names, so browsers keep them. Goes on where there is no such file.
 */
export function serveBuilt({ folder, policy, isSinglePage }: BuiltFiles): RequestHandler {
  const serve = sirv(folder, {
    single: isSinglePage,
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders(res, path) {
      const lasts = path.startsWith('/assets/');
      res.setHeader('Cache-Control', lasts ? 'public, max-age=31536000, immutable' : 'no-cache');
      setPolicy(res, policy);
    },
  });
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') throw notAllowed(['GET']);
    // sirv would look for it among the views.
    if (req.path.startsWith('/assets/') && req.path.includes('%')) return next();
    res.once('pipe', (file: Readable) => closeTogether(file, res));
    serve(req, res, next);
  };
}

/** sirv alone leaves the file open once the client has left, and the process ends if the file is gone since its start. */
function closeTogether(file: Readable, res: ServerResponse): void {
  res.once('close', () => file.destroy());
  file.once('error', () => res.destroy());
}

export function setPolicy(res: ServerResponse, policy: string): void {
  res.setHeader('Content-Security-Policy', policy);
  res.setHeader('X-Frame-Options', 'DENY');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Referrer-Policy', 'same-origin');
}
