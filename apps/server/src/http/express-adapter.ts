import { contract, requestProblem, type SchemaIssue } from '@gatehouse/contract';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import type { Express, RequestHandler, Router } from 'express';
import express from 'express';
import type { Logger } from 'pino';
import { ProblemError } from '../platform/problem-error.ts';
import { authorizeRoute, routeOf } from './authorize-route.ts';
import { readBody } from './body.ts';
import type { HostAndOrigin } from './host-and-origin.ts';
import type { IdentifyDeps } from './identify.ts';

export type Contract = typeof contract;

export interface ExpressOptions extends IdentifyDeps {
  readonly hostAndOrigin: HostAndOrigin;
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
}

/** An Express application without routes: case-sensitive paths, no automatic ETags, no `X-Powered-By`. */
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

/** Turns the errors of the contract's schemas into one problem. */
function validationProblem(error: RequestValidationError): ProblemError {
  const { code, errors } = requestProblem({
    path: issuesOf(error.pathParams),
    query: issuesOf(error.query),
    body: issuesOf(error.body),
  });
  const detail =
    code === 'unknown_field'
      ? 'The body has a field that this operation does not have. Remove it.'
      : 'The request is not valid. The errors name each field or parameter to correct.';
  return new ProblemError(code, detail, { errors });
}

function issuesOf(part: unknown): readonly SchemaIssue[] {
  const hasIssues = part !== null && typeof part === 'object' && 'issues' in part;
  return hasIssues && Array.isArray(part.issues) ? part.issues : [];
}

/**
 * Escapes each path segment that cannot be percent-decoded. Express would answer 400 before it
 * matches a route; escaped, the segment is refused as an invalid id, after 404, 405, 401 and 403.
 */
export const escapeMalformedSegments: RequestHandler = (req, _res, next) => {
  if (req.path.includes('%')) req.url = escapePath(req.path) + req.url.slice(req.path.length);
  next();
};

function escapePath(path: string): string {
  return path
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')))
    .join('/');
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
