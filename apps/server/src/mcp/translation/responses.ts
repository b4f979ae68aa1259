import { INVALID_PARAMS, RESOURCE_NOT_FOUND } from '../errors.ts';
import { type Edit, edit, membersChanged, replacement } from '../json/edit.ts';
import type { JsonNode } from '../json/node.ts';
import type { ReadMessage } from './message-reader.ts';
import { RESERVED } from './shapes.ts';

const ONLY_MODERN: ReadonlySet<string> = new Set(['resultType', 'ttlMs', 'cacheScope']);

/** A request that a response answers. */
export interface AnsweredRequest {
  /** The client's, raw JSON. */
  readonly id: string;
  readonly method: string;
}

/** The response of a modern upstream, for a legacy client. */
export function toLegacyResponse(message: ReadMessage, request: AnsweredRequest): Buffer {
  const { bytes, object } = message;
  const result = object.objectAt('result');
  const meta = result?.member('_meta');
  return edit(bytes, [
    ...withId(message, request),
    ...(result ? membersChanged(result, result.membersWith(isOnlyModern)) : []),
    ...(meta ? membersChanged(meta, meta.membersWith(isReserved)) : []),
    ...withCode(message, request, INVALID_PARAMS, RESOURCE_NOT_FOUND),
  ]);
}

/**
 * The response of a legacy upstream, for a modern client.
 *
 * @param serverInfo raw JSON
 */
export function toModernResponse(
  message: ReadMessage,
  request: AnsweredRequest,
  serverInfo: string,
): Buffer {
  const { bytes, object } = message;
  const result = object.objectAt('result');
  return edit(bytes, [
    ...withId(message, request),
    ...(result ? completed(result, request, `"${RESERVED}serverInfo":${serverInfo}`) : []),
    ...withCode(message, request, RESOURCE_NOT_FOUND, INVALID_PARAMS),
  ]);
}

/** What a legacy server puts under keys of this era has no meaning, and goes. */
function completed(result: JsonNode, { method }: AnsweredRequest, serverInfo: string): Edit[] {
  const meta = result.objectAt('_meta');
  const isDropped = (name: string) =>
    isOnlyModern(name) || (name === '_meta' && meta === undefined);
  const added = [
    '"resultType":"complete"',
    // 2026-07-28 caching: required here.
    ...(method === 'resources/read' ? ['"ttlMs":0', '"cacheScope":"private"'] : []),
    ...(meta ? [] : [`"_meta":{${serverInfo}}`]),
  ];
  return [
    ...membersChanged(result, result.membersWith(isDropped), added.join(',')),
    ...(meta ? membersChanged(meta, meta.membersWith(isReserved), serverInfo) : []),
  ];
}

/** A notification of progress, with the client's own token. @param token raw JSON */
export function withProgressToken({ bytes, object }: ReadMessage, token: string): Buffer {
  const found = object.member('params')?.member('progressToken');
  return found === undefined ? bytes : edit(bytes, [replacement(found, token)]);
}

/** The code of the error that a response states. */
export function errorCodeOf(message: ReadMessage): number | undefined {
  const raw = message.object.member('error')?.member('code')?.raw(message.bytes);
  return raw === undefined ? undefined : Number(raw);
}

function withId({ object }: ReadMessage, { id }: AnsweredRequest): Edit[] {
  const found = object.member('id');
  return found === undefined ? [] : [replacement(found, id)];
}

/** A resource that does not exist has another code in each era. */
function withCode(
  message: ReadMessage,
  { method }: AnsweredRequest,
  from: number,
  to: number,
): Edit[] {
  if (method !== 'resources/read' || errorCodeOf(message) !== from) return [];
  const code = message.object.member('error')?.member('code');
  return code === undefined ? [] : [replacement(code, String(to))];
}

function isOnlyModern(name: string): boolean {
  return ONLY_MODERN.has(name);
}

function isReserved(name: string): boolean {
  return name === RESERVED;
}
