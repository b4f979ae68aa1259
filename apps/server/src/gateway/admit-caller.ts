import type { Authenticator } from '../identity/authenticator.ts';
import { invalidToken } from '../identity/bearer.ts';
import type { Caller } from '../identity/caller.ts';
import type { Resource } from '../identity/resource.ts';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * The caller of a token that may be used at an MCP URL. Says nothing about routes: one caller may be
 * admitted to several. Synchronous when the caller is in memory.
 *
 * @param key of the URL: `<application id>`, or `<application id>/<integration id>`
 * @throws ProblemError, or rejects with one: `unauthenticated`, also for an OAuth token of another resource
 *   (RFC 8707 section 2), `forbidden`, `insufficient_scope`
 */
export function admitCaller(
  authenticator: Authenticator,
  token: string,
  key: string,
): Caller | Promise<Caller> {
  const caller = authenticator.authenticateCached(token);
  if (caller !== undefined) return requireMcp(caller, key);
  return authenticator.authenticate(token).then((found) => requireMcp(found, key));
}

/** The caller of an open call once more, without recording a use of its token. Rejects like `admitCaller`. */
export async function readmitCaller(
  authenticator: Authenticator,
  token: string,
  admitted: Caller,
  key: string,
): Promise<Caller> {
  return requireMcp(await authenticator.reauthenticate(token, admitted), key);
}

function requireMcp(caller: Caller, key: string): Caller {
  if (caller.via.kind === 'invitation') {
    throw new ProblemError('forbidden', 'An invitation may not use the gateway.');
  }
  if (caller.audience !== undefined && !isAudience(caller.audience, key)) throw invalidToken();
  if (!caller.scopes.includes('mcp')) {
    throw new ProblemError('insufficient_scope', 'The access token lacks the scope mcp.');
  }
  return caller;
}

function isAudience(audience: Resource, key: string): boolean {
  if (audience.kind === 'management' || !key.startsWith(audience.applicationId)) return false;
  return audience.kind === 'application' || key.endsWith(audience.integrationId);
}
