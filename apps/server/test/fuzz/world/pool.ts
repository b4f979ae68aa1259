/** A bounded collection by key; when it is full the oldest goes. */
export interface Pool<Value> {
  readonly values: readonly Value[];
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

export function createPool<Value>(limit: number): Pool<Value> {
  const entries = new Map<string, Value>();
  let cached: Value[] | undefined;
  return {
    get values() {
      cached ??= [...entries.values()];
      return cached;
    },
    get: (key) => entries.get(key),
    set(key, value) {
      cached = undefined;
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest);
    },
    delete(key) {
      cached = undefined;
      entries.delete(key);
    },
  };
}

/** One of them, the same for the same number. */
export function pickOf<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % values.length];
}
