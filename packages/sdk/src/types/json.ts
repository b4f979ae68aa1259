/**
 * Whatever JSON can express.
 *
 * @example
 * ```ts
 * const text = (value: JsonValue) => JSON.stringify(value);
 * ```
 */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };

/**
 * A JSON object with keys of any name.
 *
 * @example
 * ```ts
 * const capabilities: JsonObject = { tools: { listChanged: true } };
 * ```
 */
export type JsonObject = { [key: string]: JsonValue };
