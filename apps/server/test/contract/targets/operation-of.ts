import { type Route, routes } from '@gatehouse/contract';
import type { Call } from './target.ts';

/** The operation a call means, with what its path and query say. */
export interface OperationCall {
  readonly resource: string;
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

const operations = Object.entries(routes).flatMap(([resource, table]) =>
  Object.entries<Route>(table).map(([name, route]) => {
    const source = route.path.replaceAll(/:([a-zA-Z]+)/g, '(?<$1>[^/]+)');
    return { resource, name, route, pattern: new RegExp(`^${source}$`) };
  }),
);

/**
 * `undefined` for what only a hand-made request can say: no such route, an encoded path, a repeated
 * parameter, a raw body.
 */
export function operationOf({ method, path, raw }: Call): OperationCall | undefined {
  const [pathname = '', search = ''] = path.split('?');
  const found = operations.find(
    ({ route, pattern }) => route.method === method && pattern.test(pathname),
  );
  const pairs = [...new URLSearchParams(search)];
  const query = Object.fromEntries(pairs);
  if (!found || pathname.includes('%')) return undefined;
  if (raw !== undefined || Object.keys(query).length < pairs.length) return undefined;
  const { resource, name, pattern } = found;
  return { resource, name, query, params: pattern.exec(pathname)?.groups ?? {} };
}
