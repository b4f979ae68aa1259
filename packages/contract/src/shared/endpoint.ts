import * as z from 'zod';
import type { Route } from '../routes.ts';
import type { ContractRoute } from './contract-route.ts';
import type { JsonObject } from './json.ts';
import { problemSchema } from './problem.ts';
import type { ProblemCode } from './problem-codes.ts';

/** The options of every router: problem documents for each error status, and no other statuses. */
export const routerOptions = {
  strictStatusCodes: true,
  commonResponses: {
    400: problemSchema,
    401: problemSchema,
    403: problemSchema,
    404: problemSchema,
    405: problemSchema,
    409: problemSchema,
    412: problemSchema,
    413: problemSchema,
    415: problemSchema,
    422: problemSchema,
    429: problemSchema,
    500: problemSchema,
    503: problemSchema,
  },
} as const;

type RouterOptions = typeof routerOptions;

/** The entries of a resource by operation. */
type Entries = Readonly<Record<string, ContractRoute>>;

/** An entry with what is the same for all of them. */
export type Routed<Entry extends ContractRoute> = Omit<Entry, 'responses'> & {
  readonly strictStatusCodes: RouterOptions['strictStatusCodes'];
  readonly responses: RouterOptions['commonResponses'] & Entry['responses'];
};

/** The router of a resource. */
export type Router<E extends Entries> = { readonly [Name in keyof E]: Routed<E[Name]> };

/**
 * What `initContract` of ts-rest has, as far as the contract uses it: what is published depends on
 * no release candidate, and its types name no symbol of one copy of ts-rest.
 */
export const c = { router, noBody: () => noBodySchema };

/** The body of a 204. */
export const noBodySchema = z.undefined();

function router<E extends Entries>(entries: E, options: RouterOptions): Router<E>;
function router(entries: Entries, options: RouterOptions): Router<Entries> {
  const { strictStatusCodes, commonResponses } = options;
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => {
      const responses = { ...commonResponses, ...entry.responses };
      return [name, { ...entry, strictStatusCodes, responses }];
    }),
  );
}

/** What the OpenAPI document says of an operation beside its texts and schemas. */
export interface Documentation {
  /** The resource has an `ETag`, and PATCH, PUT and DELETE take `If-Match`. */
  readonly isVersioned?: boolean;
  /** The resource is gone afterwards, and with it its `ETag`. */
  readonly isDeletion?: boolean;
  /** False for a POST that makes something without an address in the API. */
  readonly hasLocation?: boolean;
  /** The refusals that rest on what the operation does; the others follow from its route. */
  readonly codes?: readonly ProblemCode[];
  readonly requestExample?: JsonObject;
  readonly responseExample?: JsonObject | string;
  /** Of a response that is text, not JSON. */
  readonly mediaType?: string;
}

/** Method and path of a route for a contract entry. The whole route becomes its metadata. */
export function endpoint<const R extends Route>(
  route: R,
  documentation: Documentation = {},
): { method: R['method']; path: R['path']; metadata: R; documentation: Documentation } {
  return { method: route.method, path: route.path, metadata: route, documentation };
}
