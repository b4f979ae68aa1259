import { isJsonObject } from '@gatehouse/contract';

/** What a provider sent, of which nothing is known yet. */
export type UnknownObject = Readonly<Record<string, unknown>>;

/** The JSON object in a text, whatever its media type; undefined if it is anything else. */
export function parseObject(text: string): UnknownObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A text of at most `max` characters that is not empty. Null and anything else is as good as absent. */
export function textAt(object: UnknownObject, key: string, max: number): string | undefined {
  const value = valueAt(object, key);
  const isText = typeof value === 'string' && value !== '' && value.length <= max;
  return isText ? value : undefined;
}

/** A value by its path, such as `authed_user.id`. */
export function valueAt(object: UnknownObject, path: string): unknown {
  let value: unknown = object;
  for (const key of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
