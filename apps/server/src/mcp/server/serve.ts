import type { IncomingHttpHeaders } from 'node:http';
import { type Era, FIRST_MODERN_VERSION, negotiatedVersion } from '../era.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../errors.ts';
import { type ListKey, listKeyOf } from '../methods.ts';
import type { RpcRequest } from './messages.ts';
import { META, modernFault } from './modern-check.ts';
import { failed, type Reply, type RpcRefusal } from './reply.ts';

type Awaitable<T> = T | Promise<T>;

/** An MCP server of ours, as one client meets it: how it presents itself, and what it lists and calls. */
export interface Offer<R> {
  readonly serverInfo: object;
  readonly capabilities: object;
  instructions(): string;
  /** The newest version of the legacy era. */
  readonly newestVersion: string;
  /** Milliseconds for which a client may keep what `server/discover` returns. */
  readonly ttlMs: number;
  /** Refuses every request that is not offered, because another server may answer it later. */
  readonly refusal?: RpcRefusal;
  /** Begins a session of a legacy client. @returns its id */
  begin(initialize: RpcRequest, protocolVersion: string): Awaitable<string>;
  list(list: ListKey, request: RpcRequest): Awaitable<R>;
  /** Answers a request that is neither a list nor common to all servers; undefined if it is not offered. */
  call(request: RpcRequest): (() => Awaitable<R>) | undefined;
  /** Begins the stream of a `subscriptions/listen`. @returns whether the request names what is listened to */
  listen(request: RpcRequest): Awaitable<boolean>;
}

export interface Answer<R> {
  readonly status: number;
  readonly reply: R;
  /** Of the session that has begun. */
  readonly sessionId?: string;
}

/** Answers a request by what is offered. Undefined once a stream has begun as the response. */
export async function serve<R>(
  request: RpcRequest,
  era: Era,
  headers: IncomingHttpHeaders,
  offer: Offer<R>,
): Promise<Answer<R | Reply> | undefined> {
  const answer = answerTo(request, era, offer);
  if (answer === undefined && offer.refusal !== undefined) {
    return { status: 200, reply: { error: offer.refusal } };
  }
  const fault = era === 'modern' ? modernFault(request, headers) : undefined;
  if (fault !== undefined) return { status: 400, reply: fault };
  return answer === undefined ? notFound(era) : await answer();
}

type Answering<R> = () => Promise<Answer<R | Reply> | undefined>;

function answerTo<R>(request: RpcRequest, era: Era, offer: Offer<R>): Answering<R> | undefined {
  const { method } = request;
  const list = listKeyOf(method);
  if (list !== undefined) return async () => ok(await offer.list(list, request));
  const common = era === 'modern' ? modernAnswer(request, offer) : legacyAnswer(request, offer);
  if (common !== undefined) return common;
  const called = offer.call(request);
  return called && (async () => ok(await called()));
}

function legacyAnswer<R>(request: RpcRequest, offer: Offer<R>): Answering<R> | undefined {
  if (request.method === 'initialize') return () => initialize(request, offer);
  return request.method === 'ping' ? async () => ok({ result: {} }) : undefined;
}

/** Methods of the legacy era that no server of the modern one has (2026-07-28 changelog). */
const REMOVED: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

function modernAnswer<R>(request: RpcRequest, offer: Offer<R>): Answering<R> | undefined {
  const { method } = request;
  if (method === 'server/discover') return async () => ok(discovered(offer));
  if (method === 'subscriptions/listen') return () => listen(request, offer);
  return REMOVED.has(method) ? async () => notFound('modern') : undefined;
}

async function initialize<R>(request: RpcRequest, offer: Offer<R>): Promise<Answer<Reply>> {
  const { capabilities, serverInfo, instructions, newestVersion } = offer;
  const protocolVersion = negotiatedVersion(request.params.protocolVersion, newestVersion);
  const sessionId = await offer.begin(request, protocolVersion);
  const result = { protocolVersion, capabilities, serverInfo, instructions: instructions() };
  return { status: 200, reply: { result }, sessionId };
}

function discovered<R>({ capabilities, serverInfo, instructions, ttlMs }: Offer<R>): Reply {
  const supportedVersions = [FIRST_MODERN_VERSION];
  const fields = {
    supportedVersions,
    capabilities,
    instructions: instructions(),
    ttlMs,
    cacheScope: 'private',
  };
  return resultIn('modern', fields, serverInfo);
}

async function listen<R>(request: RpcRequest, offer: Offer<R>): Promise<Answer<Reply> | undefined> {
  if (await offer.listen(request)) return undefined;
  return ok(failed(INVALID_PARAMS, 'Invalid params: notifications is required.'));
}

function ok<R>(reply: R): Answer<R> {
  return { status: 200, reply };
}

function notFound(era: Era): Answer<Reply> {
  const status = era === 'modern' ? 404 : 200;
  return { status, reply: failed(METHOD_NOT_FOUND, 'Method not found.') };
}

/** A result of an era: a modern one says what it is, and who gives it. */
export function resultIn(
  era: Era,
  fields: object,
  serverInfo: object,
  resultType: 'complete' | 'input_required' = 'complete',
): Reply {
  if (era === 'legacy') return { result: fields };
  return { result: { resultType, ...fields, _meta: { [`${META}/serverInfo`]: serverInfo } } };
}
