/**
 * Whatever JSON can express.
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
 */
export type JsonObject = { [key: string]: JsonValue };
