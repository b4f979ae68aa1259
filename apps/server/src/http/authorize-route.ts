import { type Route, type Routes, routes } from '@gatehouse/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from '../identity/actor.ts';
import { contextOf } from './context.ts';
import { type IdentifyDeps, identify } from './identify.ts';
import type { RateLimit } from './rate-limit.ts';
import { requireAccess, requireAdmin } from './route-access.ts';

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
    requireAccess(context.actor, route);
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

function requireAdminParameter(actor: Actor, req: Request, { adminParameter }: Route): void {
  if (adminParameter !== undefined && req.query[adminParameter] === 'true') requireAdmin(actor);
}
