import { contract } from '@gatehouse/contract';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { Express, RequestHandler, Router } from 'express';
import express from 'express';
import type { Logger } from 'pino';
import { ProblemError } from '../platform/problem-error.ts';
import { readBody } from './body.ts';
import { setContext } from './context.ts';
import { guard, routeOf } from './guard.ts';
import { type HostAndOrigin, preflightHeaders } from './host-and-origin.ts';
import type { IdentifyDeps } from './identify.ts';
import { hasRepeatedIdentity } from './repeated-headers.ts';
import { requestIdOf } from './request-id.ts';
import { validationProblem } from './validation-problem.ts';

export type Contract = typeof contract;

export interface ExpressOptions extends IdentifyDeps {
  readonly hostAndOrigin: HostAndOrigin;
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
}

/** An Express application without routes: paths in their one spelling, no ETags of its own, no `X-Powered-By`. */
export function createExpress({ trustedProxies }: Pick<ExpressOptions, 'trustedProxies'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.set('etag', false);
  app.set('trust proxy', trustedProxies.length > 0 ? [...trustedProxies] : false);
  return app;
}

/** Gives every request its context and the headers every answer has. */
export const begin: RequestHandler = (req, res, next) => {
  const requestId = requestIdOf(req.headers['x-request-id']);
  setContext(res, {
    requestId,
    startedAt: performance.now(),
    operation: undefined,
    route: undefined,
    actor: undefined,
  });
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

const METHODS = 'GET, POST, PUT, PATCH, DELETE';

/** Judges `Host` and `Origin`, and answers CORS preflights. */
export function checkHostAndOrigin(hostAndOrigin: HostAndOrigin): RequestHandler {
  return (req, res, next) => {
    if (hasRepeatedIdentity(req.rawHeaders)) {
      throw new ProblemError('validation_failed', 'Host and Authorization may each be sent once.');
    }
    const { host, origin } = req.headers;
    hostAndOrigin.check(host, origin);
    if (origin === undefined) return next();
    for (const [name, value] of hostAndOrigin.corsHeaders(origin)) res.setHeader(name, value);
    if (req.method !== 'OPTIONS' || !req.headers['access-control-request-method']) return next();
    const requested = req.headers['access-control-request-headers'];
    for (const [name, value] of preflightHeaders(METHODS, requested)) res.setHeader(name, value);
    res.status(204).end();
  };
}

type ImplementationOf<Name extends keyof Contract> = Parameters<
  typeof createExpressEndpoints<Contract[Name]>
>[1];
export type Implementations = { readonly [Name in keyof Contract]: ImplementationOf<Name> };

/** Binds every resource's implementation to the contract, in the order of the contract's keys. */
export function bindContract(
  router: Router,
  implementations: Implementations,
  deps: IdentifyDeps,
): void {
  for (const name of Object.keys(contract) as (keyof Contract)[]) {
    bindResource(router, name, implementations[name], deps);
  }
}

function bindResource<Name extends keyof Contract>(
  router: Router,
  resource: Name,
  implementation: Implementations[Name],
  deps: IdentifyDeps,
): void {
  const operations = Object.entries(implementation).map(([name, handler]) => {
    const operation = `${resource}.${name}`;
    const middleware = [guard(operation, deps)];
    if (routeOf(operation).method !== 'GET') middleware.push(readBody);
    return [name, { middleware, handler }];
  });
  createExpressEndpoints(contract[resource], Object.fromEntries(operations), router, {
    logInitialization: false,
    jsonQuery: false,
    responseValidation: true,
    requestValidationErrorHandler: (error: RequestValidationError, _req, _res, next) =>
      next(validationProblem(error)),
  });
}
