/** Deep equality of JSON values. Ignores the order of keys and keys that are `undefined`. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The JSON text of a value with the keys of every object sorted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
