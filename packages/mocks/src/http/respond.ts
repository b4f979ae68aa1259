import { requestIdPattern } from '@gatehouse/contract';
import { runRecorded } from '../events/record.ts';
import { implementations } from '../handlers/implementations.ts';
import type { AnyResult } from '../state/results.ts';
import { readBody } from './body.ts';
import { etagOf, requireMatch } from './etag.ts';
import { requireActor } from './guard.ts';
import { idempotencyKeyOf, runOnce } from './idempotency.ts';
import { type ContractOperation, type Match, matchOperation } from './match.ts';
import type { AnyOperation, Caller, Environment } from './operation.ts';
import { parseResponse } from './parse-response.ts';
import { Refusal, refusalResponse } from './refusal.ts';
import { parseRequest, queryOf, requireFixed } from './validate.ts';

const BASE = '/api/v1';

/** Responds to any request below `/api/v1`, with the checks in the same order as the service. */
export async function respond(environment: Environment, request: Request): Promise<Response> {
  const requestId = requestIdOf(request);
  const path = new URL(request.url).pathname;
  const response = await handle(environment, request, { path, requestId }).catch(
    (error: unknown) => {
      if (error instanceof Refusal) return refusalResponse(error, { path, requestId });
      throw error;
    },
  );
  response.headers.set('X-Request-Id', requestId);
  response.headers.set('Cache-Control', 'no-store');
  response.headers.set('X-Content-Type-Options', 'nosniff');
  return request.method === 'HEAD' ? new Response(null, response) : response;
}

function requestIdOf(request: Request): string {
  const header = request.headers.get('x-request-id') ?? '';
  return requestIdPattern.test(header) ? header : crypto.randomUUID();
}

async function handle(
  environment: Environment,
  request: Request,
  { path, requestId }: { readonly path: string; readonly requestId: string },
): Promise<Response> {
  const { state, publicUrl } = environment;
  const base = new URL(publicUrl + BASE).pathname;
  const match = matchOperation(request.method, path.slice(base.length));
  const { operation, params } = match;
  const { route, entry } = operation;
  const actor = route.access === 'public' ? ANONYMOUS : requireActor(state, match, request);
  const body = route.method === 'GET' ? undefined : await readBody(request);
  const parts = parseRequest(entry, { params, query: queryOf(request.url), body });
  const caller: Caller = {
    ...environment,
    ...parts,
    actor,
    requestId,
    requireMatch: (version) => requireMatch(request.headers.get('if-match'), version),
    requireFixed: (schema, before) => requireFixed(schema, body, before),
  };
  const given = perform(operation, caller, { request, params, body });
  const checked = parseResponse(entry, given.status, given.body);
  return toResponse({ ...given, body: checked }, publicUrl);
}

/** The actor of public operations. */
const ANONYMOUS = {
  organizationId: '',
  userId: '',
  role: 'member',
  tokenId: '',
  tokenKind: 'personal',
  tokenExpiresAt: null,
  scopes: [],
} as const;

function perform(
  contractOperation: ContractOperation,
  caller: Caller,
  { request, params, body }: { request: Request; params: Match['params']; body: unknown },
): AnyResult {
  const { resource, name, route } = contractOperation;
  const operation = (implementations[resource] as Record<string, AnyOperation>)[name];
  if (!operation) throw new Error(`${resource}.${name} has no implementation.`);
  operation.check?.(caller);
  const act = () => runRecorded(contractOperation, caller, () => operation.act(caller));
  const key = route.idempotency === 'key' ? idempotencyKeyOf(request) : undefined;
  if (key === undefined) return act();
  operation.authorize?.(caller);
  const { userId, tokenKind, tokenId } = caller.actor;
  // Ids in the path are compared in lower case.
  const path = route.path.replaceAll(/:(\w+)/g, (_, id: string) => `${params[id]?.toLowerCase()}`);
  // The keys of an invitation are its own.
  const owner = tokenKind === 'invitation' ? ` ${tokenId}` : '';
  const call = { userId, operation: `${route.method} ${path}${owner}`, key, body };
  return runOnce(caller.state, call, act);
}

function toResponse({ status, body, version, location }: AnyResult, publicUrl: string): Response {
  const headers = new Headers();
  if (version !== undefined) headers.set('ETag', etagOf(version));
  if (location !== undefined) {
    headers.set('Location', location.startsWith('/') ? publicUrl + BASE + location : location);
  }
  if (status === 204) return new Response(null, { status, headers });
  if (typeof body === 'string') {
    headers.set('Content-Type', 'text/x-ndjson');
    return new Response(body, { status, headers });
  }
  headers.set('Content-Type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status, headers });
}
