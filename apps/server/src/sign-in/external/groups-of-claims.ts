import { isJsonObject, limits } from '@gatehouse/contract';
import type { Claims } from './provider.ts';

/** What a provider calls the groups that a person is in, or that it left them out because they are too many. */
export type ClaimedGroups =
  | { readonly isLeftOut: true }
  | { readonly isLeftOut: false; readonly externalIds: readonly string[] };

/**
 * A claim that is absent means no groups, unless Entra ID says that the groups are elsewhere: then they are
 * too many for a token, and nothing is known of them.
 *
 * @param name of a claim, tried whole first, as it may be a URL; then as a path into claims
 */
export function groupsOfClaims(claims: Claims, name: string): ClaimedGroups {
  const value = valueAt(claims, name);
  if (value === undefined && isElsewhere(claims, name)) return { isLeftOut: true };
  const isUsable = (one: unknown): one is string =>
    // No group has a longer one.
    typeof one === 'string' && one !== '' && one.length <= 2 * limits.externalId;
  return { isLeftOut: false, externalIds: [...new Set([value].flat().filter(isUsable))] };
}

function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const key of name.split('.')) {
    if (!isJsonObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** OpenID Connect Core 1.0 section 5.6.2; Entra ID names its claim `groups` and gives a source nobody can use. */
function isElsewhere({ _claim_names: names }: Claims, name: string): boolean {
  return isJsonObject(names) && Object.hasOwn(names, name);
}
