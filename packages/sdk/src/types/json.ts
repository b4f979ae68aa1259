/**
 * Any JSON value.
 */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };

/**
 * A JSON object with any keys.
 */
export type JsonObject = { [key: string]: JsonValue };
