import { type Route, routes } from '@gatehouse/contract';
import type { RequestHandler } from 'express';
import { ProblemError } from '../platform/problem-error.ts';

const table: readonly Route[] = Object.values(routes).flatMap((resource) =>
  Object.values(resource),
);

const paths = table.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:[a-zA-Z]+/g, '[^/]+')}$`),
}));

/** @throws ProblemError `not_found` */
export const notFound: RequestHandler = () => {
  throw new ProblemError('not_found', 'There is nothing at this path.');
};

/** No route below `/api/v1` took the request: its path has other methods, or is none. */
export const methodNotAllowed: RequestHandler = (req, _res, next) => {
  const methods = paths.filter(({ pattern }) => pattern.test(req.path)).map((p) => p.method);
  if (methods.length > 0) throw notAllowed(methods);
  next();
};

/** 405 with `Allow` (RFC 9110 section 15.5.6). What is read by GET is read by HEAD. */
export function notAllowed(methods: readonly string[]): ProblemError {
  const all = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return new ProblemError('method_not_allowed', 'This path does not support that method.', {
    headers: { Allow: [...new Set(all)].join(', ') },
  });
}
