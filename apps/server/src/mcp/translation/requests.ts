import type { ClientHello } from '../client-hello.ts';
import { FIRST_MODERN_VERSION } from '../era.ts';
import { type Edit, edit, membersChanged, replacement } from '../json/edit.ts';
import type { JsonNode } from '../json/node.ts';
import type { ReadMessage } from './message-reader.ts';
import { RESERVED } from './shapes.ts';

const OF_ROUNDS: ReadonlySet<string> = new Set(['inputResponses', 'requestState']);

/**
 * A request of a modern client for a legacy upstream. What the protocol has put into `_meta`, and answers to what no
 * legacy server has asked, go; every other byte stays.
 *
 * @param own raw JSON, in place of the client's id and progress token
 */
export function toLegacyRequest({ bytes, object }: ReadMessage, own: string): Buffer {
  const id = object.member('id');
  const params = object.member('params');
  const meta = params?.member('_meta');
  const token = meta?.member('progressToken');
  return edit(bytes, [
    ...(id ? [replacement(id, own)] : []),
    ...(token ? [replacement(token, own)] : []),
    ...without(params, (name) => OF_ROUNDS.has(name)),
    ...without(meta, isReserved),
  ]);
}

/** One sending of a request: what its client has answered to its server before, as raw JSON. */
export interface Round {
  /** Another one for each. */
  readonly id: string;
  readonly inputResponses?: string | undefined;
  readonly requestState?: string | undefined;
}

/**
 * A request of a legacy client for a modern upstream, which takes no word of earlier requests for granted.
 *
 * @param meta raw JSON members, see {@link metaOfHello}
 */
export function toModernRequest(
  { bytes, object }: ReadMessage,
  meta: string,
  { id, inputResponses, requestState }: Round,
): Buffer {
  const found = object.member('id');
  const own = found === undefined ? [] : [replacement(found, id)];
  const rounds = [
    ...(inputResponses === undefined ? [] : [`"inputResponses":${inputResponses}`]),
    ...(requestState === undefined ? [] : [`"requestState":${requestState}`]),
  ];
  const whole = `"_meta":{${meta}}`;
  const params = object.objectAt('params');
  if (params === undefined) {
    const members = [whole, ...rounds].join(',');
    const dropped = object.membersWith((name) => name === 'params');
    return edit(bytes, [...own, ...membersChanged(object, dropped, `"params":{${members}}`)]);
  }
  const stated = params.objectAt('_meta');
  const dropped = params.membersWith(
    (name) => OF_ROUNDS.has(name) || (name === '_meta' && stated === undefined),
  );
  const added = stated === undefined ? [whole, ...rounds] : rounds;
  return edit(bytes, [
    ...own,
    ...membersChanged(params, dropped, added.join(',')),
    ...(stated ? membersChanged(stated, stated.membersWith(isReserved), meta) : []),
  ]);
}

/** The last of each session: every call of it has the same. */
const metas = new WeakMap<ClientHello, { logLevel: string | undefined; meta: string }>();

/** What a legacy client has said once, as each modern request says it. @returns raw JSON members */
export function metaOfHello(hello: ClientHello, logLevel: string | undefined): string {
  const last = metas.get(hello);
  if (last !== undefined && last.logLevel === logLevel) return last.meta;
  const meta = writtenMeta(hello, logLevel);
  metas.set(hello, { logLevel, meta });
  return meta;
}

function writtenMeta(
  { capabilities, clientInfo }: ClientHello,
  logLevel: string | undefined,
): string {
  const meta = {
    [`${RESERVED}protocolVersion`]: FIRST_MODERN_VERSION,
    [`${RESERVED}clientInfo`]: clientInfo,
    [`${RESERVED}clientCapabilities`]: capabilities,
    ...(logLevel === undefined ? {} : { [`${RESERVED}logLevel`]: logLevel }),
  };
  return JSON.stringify(meta).slice(1, -1);
}

function without(object: JsonNode | undefined, isDropped: (name: string) => boolean): Edit[] {
  return object === undefined ? [] : membersChanged(object, object.membersWith(isDropped));
}

function isReserved(name: string): boolean {
  return name === RESERVED;
}
