import { appendFileSync } from 'node:fs';
import {
  buildOpenApiDocument,
  isJsonObject,
  type JsonValue,
  type Route,
  routes,
} from '@gatehouse/contract';

const document = buildOpenApiDocument({ version: '0.0.0' });

/** A file to which every problem that was seen is added, see `scripts/unseen-problems.mjs`. */
const seenFile = process.env.GATEHOUSE_SEEN_PROBLEMS;
const seen = new Set<string>();

const operations = Object.entries(routes).flatMap(([resource, table]) =>
  Object.entries<Route>(table).map(([name, { method, path }]) => ({
    id: `${resource}.${name}`,
    method,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
    codes: codesOf(path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase()),
  })),
);

/** Refused by Node's parser, before anything knows the operation. */
const BEFORE_ROUTING = new Set([431]);

interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

/** @throws Error when the OpenAPI document does not have the code among those of the operation and status */
export function checkDocumented(method: string, path: string, refusal: Refusal): void {
  const line = undocumentedProblem(method, path, refusal);
  if (line !== undefined) throw new Error(`The OpenAPI document does not have ${line}.`);
}

/**
 * A refusal that the OpenAPI document does not have, such as `me.get 404 not_found`; `undefined` for
 * what it has, and for what is no refusal by an operation.
 *
 * @param path relative to `/api/v1`, with or without a query
 */
export function undocumentedProblem(
  method: string,
  path: string,
  { status, body }: Refusal,
): string | undefined {
  const code = at(body, 'code');
  if (status < 400 || BEFORE_ROUTING.has(status) || typeof code !== 'string') return undefined;
  const [pathname = ''] = path.split('?');
  const found = operations.find((one) => one.method === method && one.pattern.test(pathname));
  if (found === undefined) return undefined;
  const line = `${found.id} ${status} ${code}`;
  if (found.codes.get(status)?.includes(code) !== true) return line;
  if (seenFile !== undefined && !seen.has(line)) appendFileSync(seenFile, `${line}\n`);
  seen.add(line);
  return undefined;
}

function codesOf(path: string, method: string): Map<number, readonly string[]> {
  const responses = Object.entries(Object(at(document, 'paths', path, method, 'responses')));
  return new Map(
    responses
      .filter(([status]) => status >= '400')
      .map(([status, response]) => {
        const name = String(at(response, '$ref') ?? '').replace('#/components/responses/', '');
        const resolved = at(document, 'components', 'responses', name) ?? response;
        const examples = at(resolved, 'content', 'application/problem+json', 'examples');
        return [Number(status), Object.keys(Object(examples))];
      }),
  );
}

function at(value: unknown, ...path: string[]): JsonValue | undefined {
  return path.reduce<unknown>(
    (found, key) => (isJsonObject(found) ? found[key] : undefined),
    value,
  ) as JsonValue | undefined;
}
