import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json.ts';

const TYPES = ['string', 'number', 'integer', 'boolean'] as const;

/** What a property of a credential schema can be. */
export type CredentialPropertyType = (typeof TYPES)[number];

/**
 * The type of a credential schema's property: its own, or of what its `$ref` leads to. `undefined`
 * when it is none of the simple types, or cannot be told by following JSON pointers (RFC 6901).
 */
export function credentialPropertyType(
  schema: JsonObject,
  property: JsonObject,
): CredentialPropertyType | undefined {
  const seen = new Set<JsonValue>();
  let found: JsonValue | undefined = property;
  while (isJsonObject(found) && !seen.has(found)) {
    const { type, $ref }: JsonObject = found;
    if (type !== undefined) return TYPES.find((known) => known === type);
    seen.add(found);
    found = typeof $ref === 'string' ? valueAt(schema, $ref) : undefined;
  }
  return undefined;
}

/** The value that a `$ref` of the form `#/…` names. */
function valueAt(schema: JsonObject, reference: string): JsonValue | undefined {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice('#/'.length)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<JsonValue | undefined>(
      (value, name) =>
        isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
      schema,
    );
}
