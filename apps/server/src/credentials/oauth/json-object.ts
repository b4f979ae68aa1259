import { isJsonObject, limits } from '@gatehouse/contract';

/** What a provider sent, before any checks. */
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

/** A text of at most `max` characters that is not empty. Any other value, such as null, counts as absent. */
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

/** The claims of a JWT with an unchecked signature; undefined for anything else. */
export function jwtClaims(token: string): UnknownObject | undefined {
  const parts = token.split('.');
  const [, payload] = parts;
  if (parts.length !== 3 || !payload) return undefined;
  return parseObject(Buffer.from(payload, 'base64url').toString('utf8'));
}

/**
 * A name that may be shown: without control and text direction characters, at most 200 characters.
 * Undefined if nothing is left.
 */
export function displayText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const characters = [
    ...value
      .slice(0, 4 * limits.displayName)
      .replaceAll(/\p{C}+/gu, ' ')
      .trim(),
  ];
  const text = characters.slice(0, limits.displayName).join('').trim();
  return text === '' ? undefined : text;
}
