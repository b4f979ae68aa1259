import type { JsonObject } from '@gatehouse/contract';
import { isJsonObject } from '@gatehouse/contract';
import { edit, membersChanged } from '../json/edit.ts';
import type { JsonNode } from '../json/node.ts';
import { objectOf, recordOf } from '../json/shape.ts';
import { type ReadMessage, readMessage } from '../translation/message-reader.ts';
import { RESERVED } from '../translation/shapes.ts';

/** Extensions that add no methods and no ids: a page is an ordinary resource. */
const CARRIED: ReadonlySet<string> = new Set([`${RESERVED}ui`]);

const CAPABILITIES = `${RESERVED}clientCapabilities`;
const RELATED_TASK = `${RESERVED}related-task`;

const SHAPE = objectOf([], {
  params: objectOf(['task'], {
    _meta: objectOf([RELATED_TASK], {
      [CAPABILITIES]: objectOf(['tasks'], { extensions: recordOf(objectOf([])) }),
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
  const message = readMessage(body, SHAPE);
  return message instanceof Promise ? message.then(carriedOf) : carriedOf(message);
}

function carriedOf(message: ReadMessage | undefined): Buffer | undefined {
  if (message === undefined) return undefined;
  const params = message.object.member('params');
  const meta = params?.member('_meta');
  const capabilities = meta?.member(CAPABILITIES);
  const extensions = capabilities?.member('extensions');
  const edits = [
    ...without(params, (name) => name === 'task'),
    ...without(meta, (name) => name === RELATED_TASK),
    ...without(capabilities, (name) => name === 'tasks'),
    ...without(extensions, (name) => !CARRIED.has(name)),
  ];
  return edits.length === 0 ? message.bytes : edit(message.bytes, edits);
}

function without(object: JsonNode | undefined, isDropped: (name: string) => boolean) {
  return object === undefined ? [] : membersChanged(object, object.membersWith(isDropped));
}
