import type { RequestHandler } from 'express';

/**
 * Express fails on a path that is wrongly percent-encoded before any route is asked. Each segment that
 * cannot be decoded is quoted, so that the route, the method and the caller are judged first, and
 * the segment then as the id that it is not.
 */
export const quoteBadEncoding: RequestHandler = (req, _res, next) => {
  if (req.path.includes('%')) req.url = quote(req.path) + req.url.slice(req.path.length);
  next();
};

function quote(path: string): string {
  return path
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')))
    .join('/');
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
