import { jwtClaims, type UnknownObject } from '../json-object.ts';

/** Seconds. A longer lifetime is a mistake, or as good as unlimited. */
const MAX_LIFETIME = 100 * 365 * 24 * 60 * 60;

/**
 * When something expires by the first of the fields that names a lifetime in seconds, as a number or as
 * text. Zero and less say nothing: some send them for "never".
 *
 * @param from epoch milliseconds
 */
export function expiryIn(
  tokens: UnknownObject,
  fields: readonly string[],
  from: number,
): number | undefined {
  for (const field of fields) {
    const value = Object.hasOwn(tokens, field) ? tokens[field] : undefined;
    const isNumeric = typeof value === 'number' || (typeof value === 'string' && value !== '');
    const seconds = isNumeric ? Number(value) : Number.NaN;
    if (seconds > 0 && seconds <= MAX_LIFETIME) return from + Math.floor(seconds * 1000);
  }
  return undefined;
}

/** The `exp` of an access token that is a JWT (RFC 7519 section 4.1.4), in epoch milliseconds. */
export function jwtExpiry(token: string): number | undefined {
  const exp = jwtClaims(token)?.exp;
  const isTime = typeof exp === 'number' && exp > 0 && exp * 1000 < 8.64e15;
  return isTime ? Math.floor(exp * 1000) : undefined;
}
