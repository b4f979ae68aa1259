import { isJsonObject, JsonBodyError, type JsonObject, parseJsonBody } from '@gatehouse/contract';

/** The object in the text of a definition; null for what is too long or too deep to be shown. */
export function definitionIn(text: string | null): JsonObject | null {
  if (text === null) return null;
  try {
    const value = parseJsonBody(Buffer.from(text));
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof JsonBodyError) return null;
    throw error;
  }
}
