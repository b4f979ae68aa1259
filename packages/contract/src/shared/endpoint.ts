import { initContract } from '@ts-rest/core';
import type { Route } from '../routes.ts';
import type { JsonObject } from './json.ts';
import { PROBLEM_CONTENT_TYPE, problemSchema } from './problem.ts';
import type { ProblemCode } from './problem-codes.ts';

/** The type is written out, because the inferred one refers to a symbol that ts-rest does not export. */
export const c: ReturnType<typeof initContract> = initContract();

/** What the OpenAPI document says of an operation beside its texts and schemas. */
export interface Documentation {
  /** The resource has an `ETag`, and PATCH, PUT and DELETE take `If-Match`. */
  readonly isVersioned?: boolean;
  /** False for a POST that makes something without an address in the API. */
  readonly hasLocation?: boolean;
  /** The refusals that rest on what the operation does; the others follow from its route. */
  readonly codes?: readonly ProblemCode[];
  readonly requestExample?: JsonObject;
  readonly responseExample?: JsonObject;
}

/** Method and path of a route for a contract entry. The whole route becomes its metadata. */
export function endpoint<const R extends Route>(
  route: R,
  documentation: Documentation = {},
): { method: R['method']; path: R['path']; metadata: R; documentation: Documentation } {
  return { method: route.method, path: route.path, metadata: route, documentation };
}

const problem = c.otherResponse({ contentType: PROBLEM_CONTENT_TYPE, body: problemSchema });

/** The options of every router: problem documents for each error status, and no other statuses. */
export const routerOptions = {
  strictStatusCodes: true,
  commonResponses: {
    400: problem,
    401: problem,
    403: problem,
    404: problem,
    405: problem,
    409: problem,
    412: problem,
    413: problem,
    415: problem,
    422: problem,
    429: problem,
    500: problem,
    503: problem,
  },
} as const;
