import { initContract } from '@ts-rest/core';
import type { Route } from '../routes.ts';
import { PROBLEM_CONTENT_TYPE, problemSchema } from './problem.ts';

/** The type is written out, because the inferred one refers to a symbol that ts-rest does not export. */
export const c: ReturnType<typeof initContract> = initContract();

/** Method and path of a route for a contract entry. The whole route becomes its metadata. */
export function endpoint<const R extends Route>(
  route: R,
): { method: R['method']; path: R['path']; metadata: R } {
  return { method: route.method, path: route.path, metadata: route };
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
