import { endOfString, endOfValue, skipBlanks } from './json-bytes.ts';

/** The ids that an error response to a JSON-RPC body needs, as raw JSON, byte for byte. */
export type MessageIds =
  | { readonly kind: 'request'; readonly id: string }
  /** A batch (MCP 2025-03-26): the ids of its requests. */
  | { readonly kind: 'batch'; readonly ids: readonly string[] }
  /** Only notifications or responses: nothing to respond to in JSON-RPC. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed' };

const STARTS_OF_IDS = new Set(Buffer.from('"-0123456789n'));
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA] = Buffer.from('{}[],');
const ID = Buffer.from('"id"');
const METHOD = Buffer.from('"method"');

/**
 * Reads the ids of the requests in a body. `JSON.parse` would round ids that do not fit a double, so it
 * only checks the syntax, and the text of each id is cut out.
 */
export function readMessageIds(body: Buffer): MessageIds {
  if (!isJson(body)) return { kind: 'malformed' };
  let at = skipBlanks(body, 0);
  if (body[at] !== OPEN_BRACKET) {
    const id = body[at] === OPEN_BRACE ? readMessage(body, at).id : undefined;
    return id === undefined ? { kind: 'nothing' } : { kind: 'request', id };
  }
  const ids: string[] = [];
  do {
    at = skipBlanks(body, at + 1);
    if (body[at] === CLOSE_BRACKET) break;
    const message = body[at] === OPEN_BRACE ? readMessage(body, at) : undefined;
    if (message?.id !== undefined) ids.push(message.id);
    at = skipBlanks(body, message?.end ?? endOfValue(body, at));
  } while (body[at] === COMMA);
  return ids.length === 0 ? { kind: 'nothing' } : { kind: 'batch', ids };
}

/** Like `JSON.parse`, it takes the last of several equal keys and decodes escapes in keys. */
function readMessage(
  body: Buffer,
  start: number,
): { readonly id: string | undefined; readonly end: number } {
  let id: string | undefined;
  let hasMethod = false;
  let at = start;
  do {
    const key = skipBlanks(body, at + 1);
    if (body[key] === CLOSE_BRACE) return { id: undefined, end: key + 1 };
    const keyEnd = endOfString(body, key);
    // Past the colon.
    const value = skipBlanks(body, skipBlanks(body, keyEnd) + 1);
    const end = endOfValue(body, value);
    if (isKey(body, key, keyEnd, METHOD)) hasMethod = true;
    if (isKey(body, key, keyEnd, ID))
      id = isId(body, value) ? body.toString('utf8', value, end) : undefined;
    at = skipBlanks(body, end);
  } while (body[at] === COMMA);
  // With an id but no method it is a response.
  return { id: hasMethod ? id : undefined, end: at + 1 };
}

/** A string, a number or `null`. */
function isId(body: Buffer, start: number): boolean {
  return STARTS_OF_IDS.has(body[start] ?? 0);
}

/** Whether a key, in its quotes, is this one, perhaps with escapes. */
function isKey(body: Buffer, from: number, end: number, key: Buffer): boolean {
  const length = end - from;
  if (length === key.length) return body.compare(key, 0, key.length, from, end) === 0;
  // A character takes six bytes at most (`\u0069`).
  if (length < key.length || length > 6 * key.length) return false;
  const literal = body.toString('latin1', from, end);
  return literal.includes('\\') && `"${JSON.parse(literal)}"` === key.toString();
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}
