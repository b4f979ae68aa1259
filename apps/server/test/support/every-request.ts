import { buildOpenApiDocument, isJsonObject, type JsonValue } from '@gatehouse/contract';
import { type OperationId, operations } from '../fuzz/operations.ts';

/** A request of one operation that the contract accepts, with ids that no row has. */
export interface OperationRequest {
  readonly id: OperationId;
  readonly isPublic: boolean;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const document = buildOpenApiDocument({ version: '0.0.0' });

/** Where the example of the description is a body that only some servers take. */
const FURTHER_BODIES: Partial<Record<OperationId, JsonValue>> = { 'connections.authorize': {} };

/** What an operation cannot do without. */
const QUERIES: Partial<Record<OperationId, string>> = {
  'usage.get': '?step=day&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
};

/** One request for each operation of the route table. */
export const everyRequest: readonly OperationRequest[] = operations.map(({ id, route }) => {
  const body = FURTHER_BODIES[id] ?? exampleOf(route.path, route.method);
  return {
    id,
    isPublic: route.access === 'public',
    method: route.method,
    path: route.path.replaceAll(/:\w+/g, () => crypto.randomUUID()) + (QUERIES[id] ?? ''),
    ...(body === undefined ? {} : { body }),
  };
});

function exampleOf(path: string, method: string): JsonValue | undefined {
  const named = path.replaceAll(/:(\w+)/g, '{$1}');
  const described = at(document, 'paths', named, method.toLowerCase());
  return at(described, 'requestBody', 'content', 'application/json', 'example');
}

function at(value: JsonValue | undefined, ...path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (found, key) => (isJsonObject(found) ? found[key] : undefined),
    value,
  );
}
