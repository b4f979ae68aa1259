import { parseObject, type UnknownObject } from '../json-object.ts';

/** The claims of a JWT whose signature nobody checked; undefined for anything else. */
export function jwtClaims(token: string): UnknownObject | undefined {
  const parts = token.split('.');
  const [, payload] = parts;
  if (parts.length !== 3 || !payload) return undefined;
  return parseObject(Buffer.from(payload, 'base64url').toString('utf8'));
}
