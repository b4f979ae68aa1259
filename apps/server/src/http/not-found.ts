import { type Route, routes } from '@gatehouse/contract';
import type { RequestHandler } from 'express';
import { ProblemError } from '../platform/problem-error.ts';

const allRoutes: readonly Route[] = Object.values(routes).flatMap((resource) =>
  Object.values(resource),
);

const paths = allRoutes.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:[a-zA-Z]+/g, '[^/]+')}$`),
}));

/** @throws ProblemError `not_found` */
export const notFound: RequestHandler = () => {
  throw new ProblemError('not_found', 'There is nothing at this path.');
};

/** Runs when no route below `/api/v1` matched: 405 where the path has other methods, else 404. */
export const methodNotAllowed: RequestHandler = (req, _res, next) => {
  const methods = paths.filter(({ pattern }) => pattern.test(req.path)).map((p) => p.method);
  if (methods.length > 0) throw notAllowed(methods);
  next();
};

/** 405 with `Allow` (RFC 9110 section 15.5.6). Every path with GET also has HEAD. */
export function notAllowed(methods: readonly string[]): ProblemError {
  const all = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return new ProblemError('method_not_allowed', 'This path does not support that method.', {
    headers: { Allow: [...new Set(all)].join(', ') },
  });
}
