import * as z from 'zod';
import { contract } from '../contract.ts';
import { type Route, routes } from '../routes.ts';
import { emptyBodySchema } from '../shared/bodies.ts';
import type { ContractRoute } from '../shared/contract-route.ts';
import { type Documentation, noBodySchema } from '../shared/endpoint.ts';
import type { JsonObject } from '../shared/json.ts';
import type { ProblemCode } from '../shared/problem-codes.ts';

/** The facts about one endpoint that the document is made from. */
export interface Operation {
  /** `<resource>.<operation>`. */
  readonly id: string;
  readonly resource: string;
  readonly route: Route;
  readonly summary: string;
  readonly description: string | undefined;
  readonly hasBody: boolean;
  readonly body: unknown;
  readonly queryNames: readonly string[];
  readonly status: number;
  /** The response schema, absent for 204. */
  readonly response: unknown;
  /** The refusals that rest on what the operation does. */
  readonly codes: readonly ProblemCode[];
  readonly requestExample: JsonObject | undefined;
  readonly responseExample: JsonObject | string | undefined;
  /** Of the response. */
  readonly mediaType: string;
  readonly takesIfMatch: boolean;
  readonly hasEtag: boolean;
  readonly hasLocation: boolean;
}

function queryNames(query: unknown): string[] {
  return query instanceof z.ZodObject ? Object.keys(query.shape) : [];
}

function success(entry: ContractRoute): { status: number; response: unknown } {
  for (const [status, response] of Object.entries(entry.responses)) {
    if (Number(status) >= 300) continue;
    return { status: Number(status), response: response === noBodySchema ? undefined : response };
  }
  throw new Error('A route of the contract has no success status.');
}

type Entry = ContractRoute & { readonly documentation: Documentation };

function describe(resource: string, name: string, entry: Entry, route: Route): Operation {
  const id = `${resource}.${name}`;
  const { isVersioned = false, isDeletion = false } = entry.documentation;
  const { hasLocation = true, codes = [] } = entry.documentation;
  const { requestExample, responseExample, mediaType = 'application/json' } = entry.documentation;
  const { body } = entry;
  const answer = success(entry);
  return {
    id,
    resource,
    route,
    summary: entry.summary ?? id,
    description: entry.description,
    hasBody: body !== undefined && body !== emptyBodySchema,
    body,
    queryNames: queryNames(entry.query),
    ...answer,
    codes,
    requestExample,
    responseExample,
    mediaType,
    takesIfMatch: isVersioned && ['PATCH', 'PUT', 'DELETE'].includes(route.method),
    hasEtag: isVersioned && !isDeletion,
    hasLocation: answer.status === 201 && hasLocation,
  };
}

/** Every operation in the order of the route table. */
export function operations(): Operation[] {
  const tables: Record<string, Record<string, Route>> = routes;
  const routers: Record<string, Record<string, Entry>> = contract;
  return Object.entries(tables).flatMap(([resource, table]) =>
    Object.entries(table).map(([name, route]) => {
      const entry = routers[resource]?.[name];
      if (!entry) throw new Error('A route has no entry in the contract.');
      return describe(resource, name, entry, route);
    }),
  );
}
