import { type AppRoute, isAppRouteNoBody } from '@ts-rest/core';
import * as z from 'zod';
import { contract } from '../contract.ts';
import { type Route, routes } from '../routes.ts';
import { emptyBodySchema } from '../shared/bodies.ts';

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
  readonly takesIfMatch: boolean;
  readonly hasEtag: boolean;
  readonly hasLocation: boolean;
}

/** Operations on integrations and applications, which are versioned, that use no version. */
const UNVERSIONED = new Set([
  'integrations.list',
  'integrations.discover',
  'integrations.validate',
  'applications.accessGraph',
  'applications.list',
  'applications.revokeAccess',
]);

/** Makes something that has no address in the API. */
const WITHOUT_LOCATION = new Set(['members.createSignInLink']);

function queryNames(query: unknown): string[] {
  return query instanceof z.ZodObject ? Object.keys(query.shape) : [];
}

function success(entry: AppRoute): { status: number; response: unknown } {
  for (const [status, response] of Object.entries(entry.responses)) {
    if (Number(status) >= 300) continue;
    return { status: Number(status), response: isAppRouteNoBody(response) ? undefined : response };
  }
  throw new Error('A route of the contract has no success status.');
}

function describe(resource: string, name: string, entry: AppRoute, route: Route): Operation {
  const id = `${resource}.${name}`;
  const isVersioned =
    (resource === 'integrations' || resource === 'applications') && !UNVERSIONED.has(id);
  const body = 'body' in entry ? entry.body : undefined;
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
    takesIfMatch: isVersioned && ['PATCH', 'PUT', 'DELETE'].includes(route.method),
    hasEtag: isVersioned,
    hasLocation: answer.status === 201 && !WITHOUT_LOCATION.has(id),
  };
}

/** Every operation in the order of the route table. */
export function operations(): Operation[] {
  const tables: Record<string, Record<string, Route>> = routes;
  const routers: Record<string, Record<string, AppRoute>> = contract;
  return Object.entries(tables).flatMap(([resource, table]) =>
    Object.entries(table).map(([name, route]) => {
      const entry = routers[resource]?.[name];
      if (!entry) throw new Error('A route has no entry in the contract.');
      return describe(resource, name, entry, route);
    }),
  );
}
