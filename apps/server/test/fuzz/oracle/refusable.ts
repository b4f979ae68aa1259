import * as z from 'zod';
import { paramsOf } from '../paths.ts';
import type { FuzzRequest } from '../request.ts';
import { isAdmin } from '../world/entity.ts';
import { kindOf } from '../world/suited.ts';
import type { World } from '../world/world.ts';

/** Reasons for which a request may not succeed, whatever is stored. */
export function refusalReasons(world: World, request: FuzzRequest): string[] {
  return [...accessReasons(request), ...foreignIds(world, request), ...schemaReasons(request)];
}

function accessReasons({ actor, bearer, operation }: FuzzRequest): string[] {
  const { access, method } = operation.route;
  if (access === 'public') return [];
  if (actor === undefined || actor.bearer !== bearer) return ['nobody is known by its bearer'];
  const reasons: string[] = [];
  if (actor.kind === 'invitation' && access !== 'account') reasons.push('it is an invitation');
  if (access === 'admin' && !isAdmin(actor)) reasons.push('the caller is no admin');
  const scopes = method === 'GET' ? ['management:read', 'management:write'] : ['management:write'];
  const isCovered = actor.scopes.some((scope) => scopes.includes(scope));
  if (actor.kind === 'personal' && operation.id !== 'me.get' && !isCovered) {
    reasons.push('the scope is missing');
  }
  return reasons;
}

function foreignIds(world: World, { actor, operation, path }: FuzzRequest): string[] {
  const sent = path.toLowerCase();
  return operation.params.flatMap((param) =>
    world
      .entities(kindOf(operation.id, param))
      .values.filter((row) => row.organization !== actor?.organization && sent.includes(row.id))
      .map((row) => `the ${row.kind} belongs to another organization`),
  );
}

/** The contract's own schemas refuse it. */
function schemaReasons({ operation, path, search, body, plan }: FuzzRequest): string[] {
  if (plan.mutations.length === 0) return [];
  const { entry } = operation;
  const fits = (schema: unknown, value: unknown) =>
    schema === undefined ||
    schema === null ||
    z.safeParse(schema as z.core.$ZodType, value).success;
  const reasons: string[] = [];
  if (!fits(entry.pathParams, paramsOf(operation.route.path, path))) reasons.push('the path');
  if (!fits(entry.query, queryOf(search))) reasons.push('the query');
  if ('body' in entry && !fits(entry.body, jsonOf(body))) reasons.push('the body');
  return reasons.map((part) => `the contract refuses ${part}`);
}

function queryOf(search: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const [first = '', ...others] = parameters.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

/** Something that no schema of a body accepts stands for a text that is no JSON. */
function jsonOf(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return 'malformed';
  }
}
