import type { Route } from '@gatehouse/contract';
import type { Response } from 'express';
import type { Actor } from '../identity/actor.ts';
import { ProblemError } from '../platform/problem-error.ts';

/** What the middleware knows about a request when its router is called. */
export interface RequestContext {
  readonly requestId: string;
  /** By `performance.now()`, in milliseconds. */
  readonly startedAt: number;
  operation: string | undefined;
  route: Route | undefined;
  actor: Actor | undefined;
}

export function setContext(res: Response, context: RequestContext): void {
  res.locals.context = context;
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

/** The caller as authorized before the body was read. Every route but the `public` ones has one. */
export function actorOf(res: Response): Actor {
  const { actor } = contextOf(res);
  if (!actor) throw new ProblemError('unauthenticated', 'An access token is required.');
  return actor;
}
