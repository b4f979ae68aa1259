import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json.ts';

/** RFC 8259 section 6. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

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

/** What a token says of a property of this type: the value that JSON spells that way, or else the text itself. */
export function credentialPropertyValue(
  type: CredentialPropertyType | undefined,
  token: string,
): string | number | boolean {
  if (type === undefined || type === 'string') return token;
  if (type === 'boolean') return token === 'true' || (token === 'false' ? false : token);
  return JSON_NUMBER.test(token) ? Number(token) : token;
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
