import type { Resource } from '../identity/resource.ts';

/** The grant type of RFC 8693 section 2.1. */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The scopes that grant something, and the kinds of resource where they do. */
const POWER = new Map<string, readonly Resource['kind'][]>([
  ['mcp', ['pair', 'application']],
  ['credentials', ['pair', 'application']],
  ['management:read', ['management']],
  ['management:write', ['management']],
]);

/** Scopes of OpenID Connect: no ID tokens are issued here, and every code grant has a refresh token. */
const IGNORED = new Set(['openid', 'offline_access']);

/** Splits a `scope` parameter (RFC 6749 section 3.3), without the scopes that are ignored here. */
export function readScopes(scope: string | undefined): string[] {
  return [...new Set(scope?.split(' '))].filter((name) => name !== '' && !IGNORED.has(name));
}

/** The scopes of an application that may be granted at a resource. A scope without power may be granted anywhere. */
export function scopesAt(scopes: readonly string[], { kind }: Resource): string[] {
  return scopes.filter((name) => {
    if (IGNORED.has(name)) return false;
    return POWER.get(name)?.includes(kind) ?? true;
  });
}

/** The default scopes of a client that names no scope: those that have power at the resource. */
export function defaultScopesAt(scopes: readonly string[], { kind }: Resource): string[] {
  return scopes.filter((name) => POWER.get(name)?.includes(kind));
}
