import type { ClientHello } from '../client-hello.ts';
import { FIRST_MODERN_VERSION } from '../era.ts';
import type { Edit } from '../held-bytes.ts';
import { edited, membersChanged, replacement } from './edits.ts';
import { type Member, memberOf, type ObjectSpan } from './members.ts';
import type { ReadMessage } from './message-reader.ts';
import { RESERVED } from './places.ts';

const OF_ROUNDS: ReadonlySet<string> = new Set(['inputResponses', 'requestState']);

/**
 * A request of a modern client for a legacy upstream. What the protocol has put into `_meta`, and answers to what no
 * legacy server has asked, go; every other byte stays.
 *
 * @param own raw JSON, in place of the client's id and progress token
 */
export function toLegacyRequest({ bytes, object }: ReadMessage, own: string): Buffer {
  const id = memberOf(object, 'id');
  const params = memberOf(object, 'params')?.object;
  const meta = memberOf(params, '_meta')?.object;
  const token = memberOf(meta, 'progressToken');
  return edited(bytes, [
    ...(id ? [replacement(id.value, own)] : []),
    ...(token ? [replacement(token.value, own)] : []),
    ...without(params, ({ name }) => OF_ROUNDS.has(name)),
    ...without(meta, ({ name }) => name === RESERVED),
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
  const found = memberOf(object, 'id');
  const own = found === undefined ? [] : [replacement(found.value, id)];
  const rounds = [
    ...(inputResponses === undefined ? [] : [`"inputResponses":${inputResponses}`]),
    ...(requestState === undefined ? [] : [`"requestState":${requestState}`]),
  ];
  const whole = `"_meta":{${meta}}`;
  const params = memberOf(object, 'params');
  if (params?.object === undefined) {
    const members = [whole, ...rounds].join(',');
    const dropped = params === undefined ? [] : [params];
    return edited(bytes, [...own, ...membersChanged(object, dropped, `"params":{${members}}`)]);
  }
  const metaThere = memberOf(params.object, '_meta')?.object;
  const dropped = params.object.members.filter(
    ({ name }) => OF_ROUNDS.has(name) || (name === '_meta' && metaThere === undefined),
  );
  const added = metaThere === undefined ? [whole, ...rounds] : rounds;
  return edited(bytes, [
    ...own,
    ...membersChanged(params.object, dropped, added.join(',')),
    ...(metaThere ? membersChanged(metaThere, reservedOf(metaThere), meta) : []),
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

function without(object: ObjectSpan | undefined, isDropped: (member: Member) => boolean): Edit[] {
  return object === undefined ? [] : membersChanged(object, object.members.filter(isDropped));
}

function reservedOf({ members }: ObjectSpan): readonly Member[] {
  return members.filter(({ name }) => name === RESERVED);
}
