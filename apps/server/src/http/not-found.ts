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

/** No route took the request: 405 with `Allow` when the path has other methods (RFC 9110 section 15.5.6), else 404. */
export const notFound: RequestHandler = (req) => {
  const methods = new Set(
    paths.filter(({ pattern }) => pattern.test(req.path)).map((p) => p.method),
  );
  if (methods.size === 0) throw new ProblemError('not_found', 'There is nothing at this path.');
  throw new ProblemError('method_not_allowed', 'This path does not support that method.', {
    headers: { Allow: [...methods].join(', ') },
  });
};
