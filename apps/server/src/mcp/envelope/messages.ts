import { ARRAY, type JsonNode, OBJECT } from '../json/node.ts';
import { arrayOf, objectOf, type Shape, VALUE } from '../json/shape.ts';
import { STARTS_OF_IDS } from '../message-ids.ts';
import { Draft } from './draft.ts';
import type { Envelope, Message, Unreadable } from './message.ts';

/** Bytes of a name or URI: Node allows this length for the headers that repeat it. */
export const MAX_TEXT = 16 * 1024;

/** The messages of a batch are judged one after another. */
const MAX_MESSAGES = 1000;

/** Of a message. */
const MAX_URIS = 1000;

/** The methods of the calls that are recorded with what they call. */
const CALLS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

const [NULL] = Buffer.from('n');

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

const MESSAGE = objectOf(['jsonrpc', 'id', 'method'], {
  params: objectOf(['name', 'uri', 'task'], {
    ref: objectOf(['type', 'name', 'uri']),
    _meta: objectOf([PROTOCOL_VERSION, 'progressToken']),
    notifications: objectOf([], { resourceSubscriptions: arrayOf(VALUE, MAX_URIS + 1) }),
  }),
});

/** The top of a body: a message, or a batch of them. */
export const BODY: Shape = { ...MESSAGE, ...arrayOf(MESSAGE, MAX_MESSAGES) };

/**
 * The keys of `params` that may occur only once, and only in this spelling, as all of a message and of `ref`. The others
 * may be repeated: the URIs of all `notifications` count.
 */
const ONCE_IN_PARAMS: ReadonlySet<string> = new Set(['name', 'uri', 'ref', 'task']);

/** Refuses a body. The first reason counts; reading goes on after it, to find the methods. */
type Refuse = (reason: string, mayCall?: boolean) => void;

/**
 * The messages of a body, and whether two parsers may read them differently. What has not arrived is no fault.
 *
 * @param body in which the root was found
 */
export function envelopeIn(root: JsonNode, body: Buffer): Envelope {
  let fault: string | undefined;
  let mayCall = false;
  const refuse: Refuse = (reason, isHiding = false) => {
    fault ??= reason;
    mayCall ||= isHiding;
  };
  const isBatch = root.kind === ARRAY;
  const nodes = isBatch ? root.items : [root];
  const messages = nodes.flatMap((node) => messageIn(node, body, refuse) ?? []);
  if (isBatch && root.count > MAX_MESSAGES) {
    refuse(`A batch has at most ${MAX_MESSAGES} messages.`, true);
  }
  if (fault !== undefined) {
    return unreadable(fault, mayCall || nodes.some((node) => hasCall(node, body)));
  }
  const [message] = messages;
  return isBatch || message === undefined
    ? { kind: 'batch', messages }
    : { kind: 'message', message };
}

/** @param mayCall whether a parser may find a call in the body */
export function unreadable(reason: string, mayCall = true): Unreadable {
  return { kind: 'unreadable', reason, mayCall };
}

/** Every method counts that some parser may take for that of the message. */
function hasCall(message: JsonNode, body: Buffer): boolean {
  return message.members.some((member) => {
    if (member.name !== 'method') return false;
    const method = member.string(body, MAX_TEXT);
    return method === null || CALLS.has(method);
  });
}

function messageIn(node: JsonNode, body: Buffer, refuse: Refuse): Message | undefined {
  if (node.kind !== OBJECT) {
    const isNested = node.kind === ARRAY;
    refuse(isNested ? 'A batch is inside a batch.' : 'A JSON-RPC message is an object.', true);
    return undefined;
  }
  const draft = new Draft();
  for (const member of node.members) {
    refuseRepeated(node, member, refuse);
    if (member.name === 'id') readId(draft, member, body, refuse);
    else if (member.name === 'method') draft.method = member.string(body, MAX_TEXT);
    else if (member.name === 'params') readParams(draft, member, body, refuse);
  }
  const { isUnclear, message } = draft;
  if (node.hasEnded && isUnclear && message.fault !== undefined) refuse(message.fault);
  return message;
}

function refuseRepeated(object: JsonNode, member: JsonNode, refuse: Refuse): void {
  const { name, isLookAlike } = member;
  if (isLookAlike) refuse(`A key differs from "${name}" only in case or by U+0000.`);
  else if (object.member(name) !== member) refuse(`The key "${name}" is repeated.`);
}

function readId(draft: Draft, id: JsonNode, body: Buffer, refuse: Refuse): void {
  if (STARTS_OF_IDS.has(id.kind)) {
    draft.id = id.raw(body);
    draft.idAt = spanOf(id);
  } else refuse('The id must be a string, a number or null.');
}

function readParams(draft: Draft, params: JsonNode, body: Buffer, refuse: Refuse): void {
  if (params.kind !== OBJECT) refuse('params must be an object.');
  for (const member of params.members) {
    if (ONCE_IN_PARAMS.has(member.name)) refuseRepeated(params, member, refuse);
    if (member.name === 'name') readName(draft, member, body);
    else if (member.name === 'uri') draft.uri = member.string(body, MAX_TEXT);
    else if (member.name === 'task') draft.hasTask = true;
    else if (member.name === 'ref') readRef(draft, member, body, refuse);
    else if (member.name === '_meta') readMeta(draft, member, body, refuse);
    else readSubscriptions(draft, member, body);
  }
}

function readRef(draft: Draft, node: JsonNode, body: Buffer, refuse: Refuse): void {
  if (node.kind !== OBJECT) return;
  const ref: NonNullable<Draft['ref']> = {};
  draft.ref = ref;
  for (const member of node.members) {
    refuseRepeated(node, member, refuse);
    if (member.name === 'name') readName(ref, member, body);
    else if (member.name === 'type') ref.type = member.string(body, MAX_TEXT);
    else ref.uri = member.string(body, MAX_TEXT);
  }
}

function readName(
  holder: Pick<Draft, 'name' | 'nameAt'> | NonNullable<Draft['ref']>,
  member: JsonNode,
  body: Buffer,
): void {
  holder.name = member.string(body, MAX_TEXT);
  if (holder.name !== null) holder.nameAt = spanOf(member);
}

function readMeta(draft: Draft, meta: JsonNode, body: Buffer, refuse: Refuse): void {
  for (const member of meta.members) {
    if (member.name === 'progressToken') draft.progressToken = member.raw(body);
    else if (!member.isLookAlike) {
      const version = member.string(body, MAX_TEXT) ?? undefined;
      const { protocolVersion = version } = draft;
      if (version !== protocolVersion) refuse('params._meta states two protocol versions.');
      draft.protocolVersion = version;
    }
  }
}

/** Some clients write null for "no list". */
function readSubscriptions(draft: Draft, notifications: JsonNode, body: Buffer): void {
  if (notifications.kind !== OBJECT) draft.hasOddSubscriptions ||= notifications.kind !== NULL;
  for (const { kind, items } of notifications.members) {
    if (kind !== ARRAY) draft.hasOddSubscriptions ||= kind !== NULL;
    for (const item of items) {
      const uris = draft.resourceSubscriptions;
      const uri = uris.length < MAX_URIS ? item.string(body, MAX_TEXT) : null;
      if (uri === null) draft.hasOddSubscriptions = true;
      else uris.push(uri);
    }
  }
}

function spanOf({ start, end }: JsonNode) {
  return { start, end };
}
