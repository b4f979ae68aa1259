import { isDeepStrictEqual } from 'node:util';

/** A body that differs from what its schema makes of it has fields that the contract does not declare. */
export function strayFields(parsed: unknown, body: unknown): string[] {
  const same = JSON.parse(JSON.stringify(parsed));
  return isDeepStrictEqual(same, body) ? [] : ['the body has fields that are not declared'];
}
