import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json.ts';
import { resolveReference } from './json-reference.ts';

/** RFC 8259 section 6. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

const TYPES = ['string', 'number', 'integer', 'boolean'] as const;

/** The types a property of a credential schema may have. */
export type CredentialPropertyType = (typeof TYPES)[number];

/**
 * The type of a property: its own, or that of the definition its `$ref` points to. `undefined` when
 * it is not a simple type, or cannot be found by following JSON pointers (RFC 6901).
 */
export function credentialPropertyType(
  schema: JsonObject,
  property: JsonObject,
): CredentialPropertyType | undefined {
  const seen = new Set<JsonValue>();
  let current: JsonValue | undefined = property;
  while (isJsonObject(current) && !seen.has(current)) {
    const { type, $ref }: JsonObject = current;
    if (type !== undefined) return TYPES.find((known) => known === type);
    seen.add(current);
    current = typeof $ref === 'string' ? resolveReference(schema, $ref) : undefined;
  }
  return undefined;
}

/**
 * What a property says about itself under a keyword such as `title` or `enum`: its own, or that of the
 * definition its `$ref` points to.
 */
export function credentialPropertyKeyword(
  schema: unknown,
  property: JsonObject,
  keyword: string,
): JsonValue | undefined {
  const seen = new Set<JsonValue>();
  let current: JsonValue | undefined = property;
  while (isJsonObject(current) && !seen.has(current)) {
    if (Object.hasOwn(current, keyword)) return current[keyword];
    seen.add(current);
    const reference: JsonValue | undefined = current.$ref;
    current =
      typeof reference === 'string' && isJsonObject(schema)
        ? resolveReference(schema, reference)
        : undefined;
  }
  return undefined;
}

/** The value of a property that is filled by a token: the token parsed as JSON of that type, or else its text. */
export function credentialPropertyValue(
  type: CredentialPropertyType | undefined,
  token: string,
): string | number | boolean {
  if (type === undefined || type === 'string') return token;
  if (type === 'boolean') return token === 'true' || (token === 'false' ? false : token);
  return JSON_NUMBER.test(token) ? Number(token) : token;
}
