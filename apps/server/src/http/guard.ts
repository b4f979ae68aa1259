import { type Route, type Routes, routes } from '@gatehouse/contract';
import type { Request, RequestHandler, Response } from 'express';
import { type Actor, isAdmin } from '../platform/actor.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { type Authenticator, unauthenticated } from './authenticate.ts';
import { bearerTokenOf } from './bearer.ts';
import { contextOf } from './context.ts';
import type { RateLimit } from './rate-limit.ts';

export interface GuardDeps {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
}

/** Admits a request to a route of the contract: 401, then 429, then 403. No body has been read yet. */
export function guard(operation: string, deps: GuardDeps): RequestHandler {
  const route = routeOf(operation);
  return async (req, res, next) => {
    const context = contextOf(res);
    context.operation = operation;
    context.route = route;
    if (route.access === 'public') return next();
    context.actor = await identify(req, deps);
    await countCall(res, context.actor, deps.rateLimit);
    requireAccess(context.actor, operation, route);
    requireAdminParameter(context.actor, req, route);
    next();
  };
}

/** `<resource>.<operation>` of the route table. */
export function routeOf(operation: string): Route {
  const [resource, name] = operation.split('.') as [keyof Routes, string];
  const route = (routes[resource] as Record<string, Route>)[name];
  if (!route) throw new Error(`The route table has no operation ${operation}.`);
  return route;
}

async function identify(req: Request, { authenticator, rateLimit }: GuardDeps): Promise<Actor> {
  try {
    const token = bearerTokenOf(req.headers.authorization);
    if (token === undefined) throw unauthenticated('An access token is required.', false);
    if (token === null)
      throw unauthenticated('The Authorization header is not a bearer token.', true);
    return authenticator.peek(token) ?? (await authenticator.authenticate(token));
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'unauthenticated') {
      await rateLimit.countFailure(req.ip ?? 'unknown');
    }
    throw error;
  }
}

async function countCall(res: Response, actor: Actor, rateLimit: RateLimit): Promise<void> {
  for (const [name, value] of await rateLimit.countCall(actor.tokenId)) res.setHeader(name, value);
}

/** An invitation does only what the route table calls `account`; other tokens need the scope of the method. */
function requireAccess(actor: Actor, operation: string, route: Route): void {
  if (actor.tokenKind === 'invitation') {
    if (route.access === 'account') return;
    throw new ProblemError(
      'forbidden',
      'An invitation may only call GET /me and, once, POST /tokens.',
    );
  }
  const scope = route.method === 'GET' ? 'management:read' : 'management:write';
  const covered =
    operation === 'me.get' ||
    actor.scopes.includes(scope) ||
    (scope === 'management:read' && actor.scopes.includes('management:write'));
  if (!covered)
    throw new ProblemError('insufficient_scope', `The access token lacks the scope ${scope}.`);
  if (route.access === 'admin') requireAdmin(actor);
}

function requireAdminParameter(actor: Actor, req: Request, { adminParameter }: Route): void {
  if (adminParameter !== undefined && req.query[adminParameter] === 'true') requireAdmin(actor);
}

function requireAdmin(actor: Actor): void {
  if (isAdmin(actor)) return;
  throw new ProblemError('forbidden', 'Only admins and owners may do this.');
}
