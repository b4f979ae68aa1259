import {
  buildOpenApiDocument,
  type ContractRoute,
  contract,
  isJsonObject,
  type JsonValue,
  type Route,
  type Routes,
  routes,
} from '@gatehouse/contract';

/** `<resource>.<operation>` of the route table. */
export type OperationId = {
  [Resource in keyof Routes]: `${Resource}.${keyof Routes[Resource] & string}`;
}[keyof Routes];

/** One operation of the contract, with what its OpenAPI description declares. */
export interface FuzzOperation {
  readonly id: OperationId;
  readonly route: Route;
  readonly entry: ContractRoute;
  /** Names of the path parameters in their order. */
  readonly params: readonly string[];
  /** The names of the declared response headers by declared status. */
  readonly declared: ReadonlyMap<number, readonly string[]>;
  readonly takesIfMatch: boolean;
  /** The fields of the body that are marked as read-only. */
  readonly readOnly: readonly string[];
}

const document = buildOpenApiDocument({ version: '0.0.0' });

/** Every operation for users, in the order of the route table. */
export const operations: readonly FuzzOperation[] = Object.entries(routes).flatMap(
  ([resource, table]) =>
    Object.entries<Route>(table)
      // Their tokens come from OAuth, which the generator does not speak.
      .filter(([, { access }]) => access !== 'application')
      .map(([name, route]) => describe(resource, name, route)),
);

const byId = new Map<string, FuzzOperation>(operations.map((found) => [found.id, found]));

/** @throws Error for an id that the route table does not know */
export function operationOf(id: string): FuzzOperation {
  const found = byId.get(id);
  if (!found) throw new Error(`The route table has no operation ${id}.`);
  return found;
}

function describe(resource: string, name: string, route: Route): FuzzOperation {
  const router: Record<string, ContractRoute> = contract[resource as keyof Routes];
  const entry = router[name];
  if (!entry) throw new Error(`${resource}.${name} has no entry in the contract.`);
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const described = at(document, 'paths', path, route.method.toLowerCase());
  return {
    id: `${resource}.${name}` as OperationId,
    route,
    entry,
    params: [...route.path.matchAll(/:(\w+)/g)].map(([, param]) => param ?? ''),
    declared: new Map(
      Object.entries(Object(at(described, 'responses'))).map(([status, response]) => [
        Number(status),
        headersOf(response as JsonValue),
      ]),
    ),
    takesIfMatch: JSON.stringify(at(described, 'parameters') ?? []).includes('/ifMatch'),
    readOnly: readOnlyFieldsOf(described),
  };
}

function readOnlyFieldsOf(described: JsonValue | undefined): string[] {
  const body = at(described, 'requestBody', 'content', 'application/json', 'schema', '$ref');
  const properties = at(document, ...namesOf(String(body ?? '')), 'properties');
  return Object.entries(Object(properties))
    .filter(([, property]) => at(property as JsonValue, 'readOnly') === true)
    .map(([name]) => name);
}

function headersOf(response: JsonValue): string[] {
  const reference = at(response, '$ref');
  const found = typeof reference === 'string' ? at(document, ...namesOf(reference)) : response;
  return Object.keys(Object(at(found, 'headers')));
}

function namesOf(reference: string): string[] {
  return reference.replace('#/', '').split('/');
}

function at(value: JsonValue | undefined, ...path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (found, key) => (isJsonObject(found) ? found[key] : undefined),
    value,
  );
}
