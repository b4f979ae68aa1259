import { ARRAY, type JsonNode } from './json/node.ts';
import { parseAtOnce } from './json/parse.ts';
import { arrayOf, objectOf, type Shape } from './json/shape.ts';

/** The ids that an error response to a JSON-RPC body needs, as raw JSON, byte for byte. */
export type MessageIds =
  | { readonly kind: 'request'; readonly id: string }
  /** A batch (MCP 2025-03-26): the ids of its requests. */
  | { readonly kind: 'batch'; readonly ids: readonly string[] }
  /** Only notifications or responses: nothing to respond to in JSON-RPC. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed' };

/** The first bytes of strings, numbers and `null`. */
export const STARTS_OF_IDS: ReadonlySet<number> = new Set(Buffer.from('"-0123456789n'));

const MESSAGE = objectOf(['id', 'method']);
const BODY: Shape = { ...MESSAGE, ...arrayOf(MESSAGE) };

/** The first byte of a byte order mark, which the tree accepts and JSON does not. */
const MARK = 0xef;

/** Reads the ids of the requests in a body. `JSON.parse` would round ids that do not fit a double. */
export function readMessageIds(body: Buffer): MessageIds {
  const root = body[0] === MARK ? undefined : parseAtOnce(body, BODY);
  if (root === undefined) return { kind: 'malformed' };
  const isBatch = root.kind === ARRAY;
  const ids: string[] = [];
  for (const message of isBatch ? root.items : [root]) {
    const id = idOf(message, body);
    if (id !== undefined) ids.push(id);
  }
  const [id] = ids;
  if (id === undefined) return { kind: 'nothing' };
  return isBatch ? { kind: 'batch', ids } : { kind: 'request', id };
}

/** The last of several ids, as `JSON.parse` takes it. Undefined without a method: such a message is a response. */
function idOf(message: JsonNode, body: Buffer): string | undefined {
  if (message.member('method') === undefined) return undefined;
  const id = message.members.findLast(({ name, isLookAlike }) => name === 'id' && !isLookAlike);
  return id !== undefined && STARTS_OF_IDS.has(id.kind) ? id.raw(body) : undefined;
}
