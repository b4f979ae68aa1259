import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json.ts';

/**
 * What a `$ref` inside a schema points to: the root, or the value at a JSON pointer (RFC 6901).
 * `undefined` when there is nothing, and for an anchor or another document.
 */
export function resolveReference(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice('#/'.length)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<JsonValue | undefined>(stepInto, root);
}

function stepInto(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
