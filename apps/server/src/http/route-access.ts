import { type Route, routes } from '@gatehouse/contract';
import { invalidToken } from '../identity/bearer.ts';
import { type Caller, isAdmin, isByOauth, type PersonCaller } from '../identity/caller.ts';
import { includesPair } from '../identity/resource.ts';
import { ProblemError } from '../platform/problem-error.ts';

/** Operations that create access which outlives an application's grant, so its tokens cannot call them. */
const PERSONAL_ONLY: ReadonlySet<Route> = new Set([
  routes.tokens.create,
  routes.members.create,
  routes.members.createSignInLink,
  routes.applications.rotateSecret,
]);

/**
 * An invitation may only call routes with the access `account`. Other tokens need the scope of the
 * method, and OAuth tokens of persons the audience of this API.
 *
 * @throws ProblemError `unauthenticated`, `forbidden`, `insufficient_scope`
 */
export function requireAccess(caller: Caller, route: Route): asserts caller is PersonCaller {
  if (caller.kind === 'application') {
    throw new ProblemError(
      'forbidden',
      'An application that acts for itself may use the gateway only.',
    );
  }
  if (caller.via.kind === 'invitation') {
    if (route.access === 'account') return;
    throw new ProblemError(
      'forbidden',
      'An invitation may only call GET /me and, once, POST /tokens.',
    );
  }
  if (caller.via.kind === 'grant') requireApi(caller, route);
  // GET /me needs no scope (decisions/tokens.md).
  if (route !== routes.me.get) requireScope(caller, scopeOf(route));
  if (route.access === 'admin') requireAdmin(caller);
}

/**
 * Only an access token of the application of the path gets through, for the application or for that
 * integration. Dynamic clients never get the scope.
 *
 * @throws ProblemError `forbidden`, `unauthenticated`, `insufficient_scope`
 */
export function requireApplicationToken(
  caller: Caller,
  { id = '', integrationId = '' }: Readonly<Record<string, string | string[] | undefined>>,
): void {
  if (!isByOauth(caller)) {
    throw new ProblemError(
      'forbidden',
      'Credentials are handed out to applications, by their own access tokens, never by a personal one.',
    );
  }
  const pair = {
    applicationId: String(id).toLowerCase(),
    integrationId: String(integrationId).toLowerCase(),
  };
  if (caller.audience === undefined || !includesPair(caller.audience, pair)) throw invalidToken();
  if (caller.scopes.includes('credentials')) return;
  throw new ProblemError('insufficient_scope', 'The access token lacks the scope credentials.');
}

/** The scope that a route of the management API needs. */
export function scopeOf({ method }: Route): 'management:read' | 'management:write' {
  return method === 'GET' ? 'management:read' : 'management:write';
}

function requireApi({ audience }: PersonCaller, route: Route): void {
  if (audience?.kind !== 'management') throw invalidToken();
  if (!PERSONAL_ONLY.has(route)) return;
  throw new ProblemError(
    'forbidden',
    'An application may not do this for you. Use a personal access token.',
  );
}

/** `management:write` includes `management:read`. @throws ProblemError `insufficient_scope` */
export function requireScope(
  { scopes }: Caller,
  scope: 'management:read' | 'management:write',
): void {
  if (scopes.includes(scope) || scopes.includes('management:write')) return;
  throw new ProblemError('insufficient_scope', `The access token lacks the scope ${scope}.`);
}

/** @throws ProblemError `forbidden` */
export function requireAdmin(caller: Caller): void {
  if (isAdmin(caller)) return;
  throw new ProblemError('forbidden', 'Only admins and owners may do this.');
}
