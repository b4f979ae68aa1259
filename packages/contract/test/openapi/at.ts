import { isJsonObject, type JsonValue } from '../../src/index.ts';

/** What is at a path of names in a document; `undefined` where there is nothing. */
export function at(value: JsonValue | undefined, ...path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (found, key) => (isJsonObject(found) ? found[key] : undefined),
    value,
  );
}
