import { randomUUID } from 'node:crypto';
import { type EventRequest, type Route, requestIdPattern } from '@gatehouse/contract';
import type { RequestHandler, Response } from 'express';
import { type Caller, isByOauth, type OauthCaller, type PersonCaller } from '../identity/caller.ts';
import { ProblemError } from '../platform/problem-error.ts';

/** The facts about a request that middleware collects for its router. */
export interface RequestContext {
  readonly requestId: string;
  /** By `performance.now()`, in milliseconds. */
  readonly startedAt: number;
  operation: string | undefined;
  route: Route | undefined;
  caller: Caller | undefined;
}

export function contextOf(res: Response): RequestContext {
  return res.locals.context as RequestContext;
}

/** The route of the request. @throws Error before a route is found, which is an error in our own code */
export function routeOfRequest(res: Response): Route {
  const { route } = contextOf(res);
  if (!route) throw new Error('The request has no route yet.');
  return route;
}

/** Where a request comes from, as events tell it. */
export function requestOf(res: Response): EventRequest {
  return { id: contextOf(res).requestId, address: res.req.ip ?? 'unknown' };
}

/**
 * The caller as authorized before the body was read. Every route but the `public` ones has one, and
 * `requireAccess` lets only persons through.
 */
export function actorOf(res: Response): PersonCaller {
  const { caller } = contextOf(res);
  if (caller?.kind === 'person') return { ...caller, request: requestOf(res) };
  throw new ProblemError('unauthenticated', 'An access token is required.');
}

/** The caller of a route with the access `application`. */
export function applicationTokenOf(
  res: Response,
): OauthCaller & { readonly request: EventRequest } {
  const { caller } = contextOf(res);
  if (caller !== undefined && isByOauth(caller)) return { ...caller, request: requestOf(res) };
  throw new ProblemError('unauthenticated', 'An access token is required.');
}

/** Gives every request its context, and every response its common headers. */
export const startRequest: RequestHandler = (req, res, next) => {
  const requestId = requestIdOf(req.headers['x-request-id']);
  const context: RequestContext = {
    requestId,
    startedAt: performance.now(),
    operation: undefined,
    route: undefined,
    caller: undefined,
  };
  res.locals.context = context;
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

/** The caller's `X-Request-Id` if it is safe to log and echo, otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && requestIdPattern.test(header) ? header : randomUUID();
}
