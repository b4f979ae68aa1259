import { isJsonObject } from '@gatehouse/contract';

/** The same JSON value with the keys of every object sorted: equal bodies become equal texts. */
export function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inKeyOrder(value[name])]));
}
