import { type Route, routes } from '@gatehouse/contract';
import { type Actor, type Authorization, isAdmin } from '../identity/actor.ts';
import { invalidToken } from '../identity/bearer.ts';
import { ProblemError } from '../platform/problem-error.ts';

/** They give out what outlives the grant of an application, so its tokens may not call them. */
const PERSONAL_ONLY: ReadonlySet<Route> = new Set([
  routes.tokens.create,
  routes.members.create,
  routes.members.createSignInLink,
  routes.applications.rotateSecret,
]);

/**
 * An invitation may only call routes with the access `account`. Other tokens need the scope of the
 * method, and OAuth tokens the audience of this API.
 *
 * @throws ProblemError `unauthenticated`, `forbidden`, `insufficient_scope`
 */
export function requireAccess(actor: Actor, route: Route): void {
  if (actor.tokenKind === 'invitation') {
    if (route.access === 'account') return;
    throw new ProblemError(
      'forbidden',
      'An invitation may only call GET /me and, once, POST /tokens.',
    );
  }
  if (actor.authorization !== undefined) requireApi(actor.authorization, route);
  // GET /me needs no scope (decisions/tokens.md).
  if (route !== routes.me.get) requireScope(actor, scopeOf(route));
  if (route.access === 'admin') requireAdmin(actor);
}

/** The scope that a route of the management API needs. */
export function scopeOf({ method }: Route): 'management:read' | 'management:write' {
  return method === 'GET' ? 'management:read' : 'management:write';
}

function requireApi({ audience, isOwn }: Authorization, route: Route): void {
  if (isOwn) {
    throw new ProblemError(
      'forbidden',
      'An application that acts for itself may use the gateway only.',
    );
  }
  if (audience.kind !== 'management') throw invalidToken();
  if (!PERSONAL_ONLY.has(route)) return;
  throw new ProblemError(
    'forbidden',
    'An application may not do this for you. Use a personal access token.',
  );
}

/** `management:write` includes `management:read`. @throws ProblemError `insufficient_scope` */
export function requireScope(
  { scopes }: Actor,
  scope: 'management:read' | 'management:write',
): void {
  if (scopes.includes(scope) || scopes.includes('management:write')) return;
  throw new ProblemError('insufficient_scope', `The access token lacks the scope ${scope}.`);
}

/** @throws ProblemError `forbidden` */
export function requireAdmin(actor: Actor): void {
  if (isAdmin(actor)) return;
  throw new ProblemError('forbidden', 'Only admins and owners may do this.');
}
