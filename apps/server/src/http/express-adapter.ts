import { contract } from '@gatehouse/contract';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { Express, Router } from 'express';
import express from 'express';
import type { Logger } from 'pino';
import { authorizeRoute, routeOf } from './authorize-route.ts';
import { readBody } from './body.ts';
import type { HostAndOrigin } from './host-and-origin.ts';
import type { IdentifyDeps } from './identify.ts';
import { validationProblem } from './validation-problem.ts';

export type Contract = typeof contract;

export interface ExpressOptions extends IdentifyDeps {
  readonly hostAndOrigin: HostAndOrigin;
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
}

/** An Express application without routes: case-sensitive paths, no ETags of its own, no `X-Powered-By`. */
export function createExpress({ trustedProxies }: Pick<ExpressOptions, 'trustedProxies'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.set('etag', false);
  app.set('trust proxy', trustedProxies.length > 0 ? [...trustedProxies] : false);
  return app;
}

type ImplementationOf<Name extends keyof Contract> = Parameters<
  typeof createExpressEndpoints<Contract[Name]>
>[1];
export type Implementations = { readonly [Name in keyof Contract]: ImplementationOf<Name> };

/** Binds every resource, in the order of the contract's keys; within a resource, in the order of its router's keys. */
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
    const middleware = [authorizeRoute(operation, deps)];
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
