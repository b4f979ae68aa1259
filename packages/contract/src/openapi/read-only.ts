import { isJsonObject, type JsonObject } from '../shared/json.ts';
import { operations } from './operations.ts';
import { componentName } from './schemas.ts';

type Schemas = Readonly<Record<string, JsonObject>>;

/**
 * The read-only fields of the bodies of PATCH and PUT get the schema that they have in the resource
 * which the response shows.
 *
 * @throws Error when a read-only field is not in that resource
 */
export function withReadOnlyTypes(schemas: Schemas): Schemas {
  const typed = { ...schemas };
  for (const { route, body, hasBody, response } of operations()) {
    if (!hasBody || (route.method !== 'PATCH' && route.method !== 'PUT')) continue;
    const name = componentName(body);
    const shown = resourceIn(schemas, componentName(response));
    typed[name] = typeFields(Object(schemas[name]), shown);
  }
  return typed;
}

function typeFields(body: JsonObject, shown: JsonObject): JsonObject {
  if (!isJsonObject(body.properties)) return body;
  const fields = Object.entries(body.properties).map(([name, field]) => {
    if (!isJsonObject(field) || field.readOnly !== true) return [name, field];
    const schema = shown[name];
    if (!isJsonObject(schema)) throw new Error('A read-only field is in no response.');
    return [name, { ...schema, readOnly: true }];
  });
  return { ...body, properties: Object.fromEntries(fields) };
}

/** The fields of the one resource in a response, or of the response itself. */
function resourceIn(schemas: Schemas, response: string): JsonObject {
  const fields: JsonObject = Object(schemas[response]?.properties);
  const [only] = Object.values(fields);
  const reference = isJsonObject(only) ? only.$ref : undefined;
  if (typeof reference !== 'string') return fields;
  return Object(schemas[reference.split('/').at(-1) ?? '']?.properties);
}
