import {
  type Contract,
  type ContractRoute,
  contract,
  type Route,
  routes,
} from '@gatehouse/contract';
import { Refusal } from './refusal.ts';

/** One operation of the contract. */
export interface ContractOperation {
  readonly resource: keyof Contract;
  /** Its key in the resource's router. */
  readonly name: string;
  readonly route: Route;
  readonly entry: ContractRoute;
}

export interface Match {
  readonly operation: ContractOperation;
  readonly params: Readonly<Record<string, string>>;
}

const operations = Object.entries(contract).flatMap(([resource, router]) =>
  Object.entries<ContractRoute>(router).map(([name, entry]) => {
    const key = resource as keyof Contract;
    const route = (routes[key] as Record<string, Route>)[name];
    if (!route) throw new Error(`The route table has no operation ${resource}.${name}.`);
    return { operation: { resource: key, name, route, entry }, pattern: patternOf(route.path) };
  }),
);

/**
 * Finds the operation of a request, by a path relative to `/api/v1` that must fit exactly.
 *
 * @throws Refusal `not_found` for an unknown path, `method_not_allowed` for a known one.
 */
export function matchOperation(method: string, path: string): Match {
  const routeMethod = method === 'HEAD' ? 'GET' : method;
  const known = operations.filter(({ pattern }) => pattern.test(path));
  const found = known.find(({ operation }) => operation.route.method === routeMethod);
  if (found) return { operation: found.operation, params: paramsOf(found.pattern, path) };
  if (known.length === 0) throw new Refusal('not_found', 'There is nothing at this path.');
  const methods = new Set(known.flatMap(({ operation }) => methodsOf(operation.route)));
  throw new Refusal('method_not_allowed', 'This path does not support that method.', {
    headers: { Allow: [...methods].join(', ') },
  });
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll(/:([a-zA-Z]+)/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`);
}

/** HEAD is supported wherever GET is. */
function methodsOf({ method }: Route): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function paramsOf(pattern: RegExp, path: string): Record<string, string> {
  const groups = Object.entries(pattern.exec(path)?.groups ?? {});
  return Object.fromEntries(groups.map(([name, text]) => [name, decoded(text)]));
}

/** Text that cannot be decoded is kept, and is then rejected as an invalid id. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
