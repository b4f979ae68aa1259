import type { RequestHandler } from 'express';

/**
 * Escapes each path segment that cannot be percent-decoded. Express would answer 400 before it
 * matches a route; escaped, the segment is refused as an invalid id, after 404, 405, 401 and 403.
 */
export const escapeMalformedSegments: RequestHandler = (req, _res, next) => {
  if (req.path.includes('%')) req.url = escapePath(req.path) + req.url.slice(req.path.length);
  next();
};

function escapePath(path: string): string {
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
