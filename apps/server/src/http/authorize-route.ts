import { type Route, type Routes, routes } from '@gatehouse/contract';
import type { Request, RequestHandler, Response } from 'express';
import { type Actor, isAdmin } from '../identity/actor.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { contextOf } from './context.ts';
import { type IdentifyDeps, identify } from './identify.ts';
import type { RateLimit } from './rate-limit.ts';

/** Authenticates and authorizes a request to a route: 401, then 429, then 403. Runs before the body is read. */
export function authorizeRoute(operation: string, deps: IdentifyDeps): RequestHandler {
  const route = routeOf(operation);
  return async (req, res, next) => {
    const context = contextOf(res);
    context.operation = operation;
    context.route = route;
    if (route.access === 'public') return next();
    context.actor = await identify(req, deps);
    await countRequest(res, context.actor, deps.rateLimit);
    requireAccess(context.actor, operation, route);
    requireAdminParameter(context.actor, req, route);
    next();
  };
}

/** The route of `<resource>.<operation>`. */
export function routeOf(operation: string): Route {
  const [resource, name] = operation.split('.') as [keyof Routes, string];
  const route = (routes[resource] as Record<string, Route>)[name];
  if (!route) throw new Error(`The route table has no operation ${operation}.`);
  return route;
}

async function countRequest(res: Response, actor: Actor, rateLimit: RateLimit): Promise<void> {
  for (const [name, value] of await rateLimit.countRequest(actor.tokenId))
    res.setHeader(name, value);
}

/** An invitation may only call routes with the access `account`. Other tokens need the scope of the method. */
function requireAccess(actor: Actor, operation: string, route: Route): void {
  if (actor.tokenKind === 'invitation') {
    if (route.access === 'account') return;
    throw new ProblemError(
      'forbidden',
      'An invitation may only call GET /me and, once, POST /tokens.',
    );
  }
  const scope = route.method === 'GET' ? 'management:read' : 'management:write';
  // GET /me needs no scope (decisions/tokens.md).
  if (operation !== 'me.get') requireScope(actor, scope);
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

function requireAdminParameter(actor: Actor, req: Request, { adminParameter }: Route): void {
  if (adminParameter !== undefined && req.query[adminParameter] === 'true') requireAdmin(actor);
}

function requireAdmin(actor: Actor): void {
  if (isAdmin(actor)) return;
  throw new ProblemError('forbidden', 'Only admins and owners may do this.');
}
