import type { JsonObject } from '@gatehouse/contract';
import { isJsonObject } from '@gatehouse/contract';
import { edited, membersChanged } from '../translation/edits.ts';
import {
  type Member,
  memberOf,
  type ObjectSpan,
  placeOf,
  wholePlace,
} from '../translation/members.ts';
import { type ReadMessage, readMessage } from '../translation/message-reader.ts';
import { RESERVED } from '../translation/places.ts';

/** Extensions that add no methods and no ids: a page is an ordinary resource. */
const CARRIED: ReadonlySet<string> = new Set([`${RESERVED}ui`]);

const CAPABILITIES = `${RESERVED}clientCapabilities`;
const RELATED_TASK = `${RESERVED}related-task`;

const PLACE = placeOf([], {
  params: placeOf(['task'], {
    _meta: placeOf([RELATED_TASK], {
      [CAPABILITIES]: placeOf(['tasks'], { extensions: wholePlace(placeOf([])) }),
    }),
  }),
});

/** Few requests have one of these, and the others are not read. */
const SIGNS = ['task', 'extensions', '\\u'];

/** The capabilities of a client without tasks and without extensions that the one URL of an application does not carry. */
export function carriedCapabilities(capabilities: JsonObject): JsonObject {
  const { tasks: _, extensions, ...others } = capabilities;
  if (!isJsonObject(extensions)) return others;
  const carried = Object.entries(extensions).filter(([name]) => CARRIED.has(name));
  return { ...others, extensions: Object.fromEntries(carried) };
}

/**
 * A request without what belongs to tasks (2025-11-25) or to an extension that the one URL of an application does not
 * carry, so that no server answers with an id that its client could never ask for. Every other byte stays. Undefined if
 * two parsers may read it differently.
 */
export function withoutExtensions(body: Buffer): Buffer | undefined | Promise<Buffer | undefined> {
  if (!SIGNS.some((sign) => body.includes(sign))) return body;
  const message = readMessage(body, PLACE);
  return message instanceof Promise ? message.then(carriedOf) : carriedOf(message);
}

function carriedOf(message: ReadMessage | undefined): Buffer | undefined {
  if (message === undefined) return undefined;
  const params = memberOf(message.object, 'params')?.object;
  const meta = memberOf(params, '_meta')?.object;
  const capabilities = memberOf(meta, CAPABILITIES)?.object;
  const extensions = memberOf(capabilities, 'extensions')?.object;
  const edits = [
    ...without(params, ({ name }) => name === 'task'),
    ...without(meta, ({ name }) => name === RELATED_TASK),
    ...without(capabilities, ({ name }) => name === 'tasks'),
    ...without(extensions, ({ name }) => !CARRIED.has(name)),
  ];
  return edits.length === 0 ? message.bytes : edited(message.bytes, edits);
}

function without(object: ObjectSpan | undefined, isDropped: (member: Member) => boolean) {
  return object === undefined ? [] : membersChanged(object, object.members.filter(isDropped));
}
