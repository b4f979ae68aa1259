import { INVALID_PARAMS, RESOURCE_NOT_FOUND } from '../errors.ts';
import type { Edit } from '../held-bytes.ts';
import { edited, membersChanged, replacement } from './edits.ts';
import { memberOf, type ObjectSpan } from './members.ts';
import { type ReadMessage, rawOf } from './message-reader.ts';
import { RESERVED } from './places.ts';

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
  const result = memberOf(object, 'result')?.object;
  const meta = memberOf(result, '_meta')?.object;
  const isOfModern = ({ name }: { name: string }) => ONLY_MODERN.has(name);
  return edited(bytes, [
    ...withId(message, request),
    ...(result ? membersChanged(result, result.members.filter(isOfModern)) : []),
    ...(meta ? membersChanged(meta, meta.members.filter(isReserved)) : []),
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
  const result = memberOf(object, 'result')?.object;
  return edited(bytes, [
    ...withId(message, request),
    ...(result ? completed(result, request, `"${RESERVED}serverInfo":${serverInfo}`) : []),
    ...withCode(message, request, RESOURCE_NOT_FOUND, INVALID_PARAMS),
  ]);
}

/** What a legacy server puts under keys of this era has no meaning, and goes. */
function completed(result: ObjectSpan, { method }: AnsweredRequest, serverInfo: string): Edit[] {
  const meta = memberOf(result, '_meta');
  const isDropped = ({ name }: { name: string }) =>
    ONLY_MODERN.has(name) || (name === '_meta' && meta?.object === undefined);
  const added = [
    '"resultType":"complete"',
    // 2026-07-28 caching: required here.
    ...(method === 'resources/read' ? ['"ttlMs":0', '"cacheScope":"private"'] : []),
    ...(meta?.object === undefined ? [`"_meta":{${serverInfo}}`] : []),
  ];
  return [
    ...membersChanged(result, result.members.filter(isDropped), added.join(',')),
    ...(meta?.object
      ? membersChanged(meta.object, meta.object.members.filter(isReserved), serverInfo)
      : []),
  ];
}

/** A notification of progress, with the client's own token. @param token raw JSON */
export function withProgressToken({ bytes, object }: ReadMessage, token: string): Buffer {
  const found = memberOf(memberOf(object, 'params')?.object, 'progressToken');
  return found === undefined ? bytes : edited(bytes, [replacement(found.value, token)]);
}

/** The code of the error that a response states. */
export function errorCodeOf(message: ReadMessage): number | undefined {
  const raw = rawOf(message, memberOf(message.object, 'error')?.object, 'code');
  return raw === undefined ? undefined : Number(raw);
}

function withId({ object }: ReadMessage, { id }: AnsweredRequest): Edit[] {
  const found = memberOf(object, 'id');
  return found === undefined ? [] : [replacement(found.value, id)];
}

/** A resource that does not exist has another code in each era. */
function withCode(
  message: ReadMessage,
  { method }: AnsweredRequest,
  from: number,
  to: number,
): Edit[] {
  if (method !== 'resources/read' || errorCodeOf(message) !== from) return [];
  const code = memberOf(memberOf(message.object, 'error')?.object, 'code');
  return code === undefined ? [] : [replacement(code.value, String(to))];
}

function isReserved({ name }: { name: string }): boolean {
  return name === RESERVED;
}
