import { operationOf } from '../operations.ts';
import { paramsOf, pathOf } from '../paths.ts';
import type { FuzzRequest, Header } from '../request.ts';
import { replacePlaceholders } from '../schemas/placeholders.ts';
import { chooseActor } from '../world/actors.ts';
import type { Actor } from '../world/entity.ts';
import { pickOf } from '../world/pool.ts';
import { kindOf } from '../world/suited.ts';
import type { KeyedCall, OpenList, World } from '../world/world.ts';
import { chooseIds, unknownId } from './choose-ids.ts';
import { mutate } from './mutate.ts';
import type { Plan } from './plan.ts';

/** The request a plan means now. */
export function resolve(world: World, plan: Plan): FuzzRequest {
  const operation = operationOf(plan.operation);
  const repeated = repeatedCall(world, plan);
  const openList = repeated === undefined ? openListOf(world, plan) : undefined;
  const bearerActor = bearerOf(world, repeated?.bearer ?? openList?.bearer);
  const actor = bearerActor ?? chooseActor(world, operation, plan.actor);
  const template = operation.route.path;
  const ids = chooseIds(world, operation, plan, actor);
  const path = repeated?.path ?? openList?.path ?? pathOf(template, ids);
  const params = paramsOf(template, path);
  const json = bodyText(world, plan, actor);
  const body = plan.key === 'repeated' && repeated ? repeated.body : json;
  const query = queryOf(world, plan, openList);
  const request: FuzzRequest = {
    plan,
    operation,
    actor,
    bearer: actor?.bearer ?? strangeBearer(plan, world),
    params,
    query,
    method: operation.route.method,
    path,
    search: new URLSearchParams(query).toString(),
    headers: headersOf(world, plan, { id: params.id, body, key: repeated?.key }),
    hosts: undefined,
    body,
    isChunked: false,
  };
  return plan.mutations.reduce(mutate, request);
}

/** A call that sends its key again: with the same body when repeated, with another when reused. */
function repeatedCall(world: World, { key, operation, pick }: Plan): KeyedCall | undefined {
  if (key !== 'repeated' && key !== 'reused') return undefined;
  const calls = world.keyedCalls.values.filter((call) => call.operation === operation);
  return pickOf(calls, pick);
}

function openListOf(world: World, { cursor, operation, pick }: Plan): OpenList | undefined {
  if (cursor !== 'next page' && cursor !== 'altered') return undefined;
  const lists = world.openLists.values.filter((list) => list.operation === operation);
  return pickOf(lists, pick);
}

function bearerOf(world: World, bearer: string | undefined): Actor | undefined {
  return bearer === undefined ? undefined : world.actors.get(bearer);
}

function strangeBearer({ actor, pick }: Plan, world: World): string | undefined {
  if (actor.who === 'nobody') return undefined;
  if (actor.who === 'no bearer') return ' \t';
  const revoked = pickOf([...world.deliveredSecrets], pick);
  return actor.who === 'guessing' || pick % 2 === 0 || revoked === undefined
    ? `gh_pat_${'x'.repeat(42)}${pick % 10}`
    : `${revoked}x`;
}

function bodyText(world: World, { body }: Plan, actor: Actor | undefined): Buffer | undefined {
  if (body === undefined) return undefined;
  const own = world
    .entities('integration')
    .values.filter((row) => row.organization === actor?.organization && row.isArchived !== true);
  const json = replacePlaceholders(body, {
    upstreamUrl: world.upstreamUrl,
    integrationId: (pick) => pickOf(own, pick)?.id ?? unknownId(pick),
  });
  return Buffer.from(JSON.stringify(json));
}

function queryOf(world: World, plan: Plan, openList: OpenList | undefined): Record<string, string> {
  const { cursor, query, pick } = plan;
  if (cursor === 'none' || !operationOf(plan.operation).entry.query) return { ...query };
  const { limit, ...filters } = query;
  const asked = limit === undefined ? {} : { limit };
  if (openList && cursor === 'next page') {
    return { ...openList.query, ...asked, cursor: openList.cursor };
  }
  if (openList && cursor === 'altered') {
    const text = openList.cursor;
    const at = pick % text.length;
    const other = text[at] === 'A' ? 'B' : 'A';
    return { ...openList.query, cursor: text.slice(0, at) + other + text.slice(at + 1) };
  }
  if (cursor === 'next page') return { ...query };
  const elsewhere = pickOf(world.openLists.values, pick)?.cursor;
  return { ...filters, cursor: (cursor === 'made up' ? undefined : elsewhere) ?? 'bWFkZSB1cA' };
}

interface SentParts {
  readonly id: string | undefined;
  readonly body: Buffer | undefined;
  readonly key: string | undefined;
}

function headersOf(world: World, plan: Plan, { id, body, key }: SentParts): Header[] {
  const headers: Header[] = [['x-forwarded-for', addressOf(plan, world)]];
  if (body !== undefined) headers.push(['content-type', 'application/json']);
  const tag = tagOf(world, plan, id);
  if (tag !== undefined) headers.push(['if-match', tag]);
  if (plan.key !== 'none') headers.push(['idempotency-key', key ?? `key-${world.next()}`]);
  return headers;
}

/** Failed authentications are counted by address: only guesses come from one address again and again. */
function addressOf({ actor }: Plan, world: World): string {
  if (actor.who === 'guessing') return '203.0.113.7';
  const number = world.next();
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

function tagOf(world: World, plan: Plan, id: string | undefined): string | undefined {
  const { ifMatch, operation } = plan;
  if (ifMatch === 'none') return undefined;
  if (ifMatch === 'any') return '*';
  if (ifMatch === 'stale') return '"v0"';
  const kind = kindOf(operation, 'id');
  return world.entities(kind).get(id?.toLowerCase() ?? '')?.etag;
}
