import { type Route, type Routes, routes } from '@gatehouse/contract';
import type { Request, RequestHandler, Response } from 'express';
import { bearerIdOf, type Caller, type PersonCaller } from '../identity/caller.ts';
import { lockCaller } from '../identity/find-caller.ts';
import type { Db } from '../platform/database/store.ts';
import { actorOf, contextOf, requestOf, routeOfRequest } from './context.ts';
import { type IdentifyDeps, identify } from './identify.ts';
import type { RateLimit } from './rate-limit.ts';
import { requireAccess, requireAdmin, requireApplicationToken } from './route-access.ts';

/** Authenticates and authorizes a request to a route: 401, then 429, then 403. Runs before the body is read. */
export function authorizeRoute(operation: string, deps: IdentifyDeps): RequestHandler {
  const route = routeOf(operation);
  return async (req, res, next) => {
    const context = contextOf(res);
    context.operation = operation;
    context.route = route;
    if (route.access === 'public') return next();
    const caller = await identify(req, deps);
    context.caller = caller;
    await countRequest(res, caller, deps.rateLimit);
    if (route.access === 'application') requireApplicationToken(caller, req.params);
    else requirePersonAccess(caller, req, route);
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

async function countRequest(res: Response, caller: Caller, rateLimit: RateLimit): Promise<void> {
  for (const [name, value] of await rateLimit.countRequest(bearerIdOf(caller)))
    res.setHeader(name, value);
}

function requirePersonAccess(caller: Caller, req: Request, route: Route): void {
  requireAccess(caller, route);
  const { adminParameter } = route;
  if (adminParameter !== undefined && req.query[adminParameter] === 'true') requireAdmin(caller);
}

/**
 * Authorizes the caller of a request a second time, from the database: a body may arrive slowly, and
 * the caller may have lost a right since its first byte. In a transaction the caller stays authorized
 * until it ends.
 *
 * @throws ProblemError `unauthenticated`, `forbidden`, `insufficient_scope`
 */
export async function authorizeAgain(db: Db, res: Response): Promise<PersonCaller> {
  const actor = await lockCaller(db, actorOf(res));
  requireAccess(actor, routeOfRequest(res));
  return { ...actor, request: requestOf(res) };
}
