import { scopeListOf } from '../scope-list.ts';

/** What a `WWW-Authenticate` header says for OAuth (RFC 9728 section 5.1, RFC 6750 section 3). */
export interface Challenge {
  readonly resourceMetadata?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** The code, such as `insufficient_scope`. */
  readonly error?: string | undefined;
}

const MAX_LENGTH = 8 * 1024;

/** RFC 9110 section 11.6.1: a scheme, or a parameter with a token or a quoted string. */
const ITEM =
  /([!#$%&'*+.^`|~\w-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^`|~\w:/-]+)))?/g;

/**
 * Of the first challenge of the scheme Bearer or DPoP.
 *
 * @param fields of the name `WWW-Authenticate`. Several are one list (RFC 9110 section 5.3).
 */
export function parseChallenge(fields: string | readonly string[] | undefined): Challenge {
  const header = [fields ?? []].flat().join(', ');
  if (header.length > MAX_LENGTH) return {};
  const found = new Map<string, string>();
  let isOurs = false;
  for (const [, name = '', quoted, plain] of header.matchAll(ITEM)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
    if (value === undefined) isOurs = /^(?:bearer|dpop)$/i.test(name);
    else if (isOurs && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  }
  return {
    resourceMetadata: found.get('resource_metadata'),
    scopes: scopeListOf(found.get('scope')),
    error: found.get('error'),
  };
}
