import { type Route, routes } from '@gatehouse/contract';
import { type Actor, isAdmin } from '../identity/actor.ts';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * An invitation may only call routes with the access `account`. Other tokens need the scope of the method.
 *
 * @throws ProblemError `forbidden`, `insufficient_scope`
 */
export function requireAccess(actor: Actor, route: Route): void {
  if (actor.tokenKind === 'invitation') {
    if (route.access === 'account') return;
    throw new ProblemError(
      'forbidden',
      'An invitation may only call GET /me and, once, POST /tokens.',
    );
  }
  const scope = route.method === 'GET' ? 'management:read' : 'management:write';
  // GET /me needs no scope (decisions/tokens.md).
  if (route !== routes.me.get) requireScope(actor, scope);
  if (route.access === 'admin') requireAdmin(actor);
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
