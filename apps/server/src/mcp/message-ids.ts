import { KnownKeys } from './json/keys.ts';
import { type JsonReader, JsonScanner } from './json/scanner.ts';

/** The ids that an error response to a JSON-RPC body needs, as raw JSON, byte for byte. */
export type MessageIds =
  | { readonly kind: 'request'; readonly id: string }
  /** A batch (MCP 2025-03-26): the ids of its requests. */
  | { readonly kind: 'batch'; readonly ids: readonly string[] }
  /** Only notifications or responses: nothing to respond to in JSON-RPC. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed' };

const STARTS_OF_IDS = new Set(Buffer.from('"-0123456789n'));
const [OPEN_BRACE, OPEN_BRACKET] = Buffer.from('{[');
const KEYS = new KnownKeys(['id', 'method']);

/** The first byte of a byte order mark, which the scanner accepts and JSON does not. */
const MARK = 0xef;

/** Reads the ids of the requests in a body. `JSON.parse` would round ids that do not fit a double. */
export function readMessageIds(body: Buffer): MessageIds {
  const reader = new IdReader(body);
  const scanner = new JsonScanner(reader);
  if (body[0] === MARK || !scanner.feed(body) || !scanner.end()) return { kind: 'malformed' };
  const [id] = reader.ids;
  if (id === undefined) return { kind: 'nothing' };
  return reader.isBatch ? { kind: 'batch', ids: reader.ids } : { kind: 'request', id };
}

/** Like `JSON.parse`, it takes the last of several equal keys and decodes escapes in keys. */
class IdReader implements JsonReader {
  readonly #body: Buffer;
  readonly ids: string[] = [];
  isBatch = false;
  #isInMessage = false;
  /** The last key of the message, if it is one of those looked for. */
  #key: string | undefined;
  /** Where the value begins that has not ended. */
  #start: number | undefined;
  #id: string | undefined;
  #hasMethod = false;

  constructor(body: Buffer) {
    this.#body = body;
  }

  key(start: number, end: number): void {
    const key = KEYS.find(this.#body, start, end);
    this.#key = key?.isLookAlike === false ? key.name : undefined;
    if (this.#key === 'method') this.#hasMethod = true;
  }

  begin(start: number, byte: number): boolean {
    const isOpened = !this.#isInMessage && this.#open(byte);
    this.#start = isOpened ? undefined : start;
    return isOpened;
  }

  end(end: number): void {
    const start = this.#start;
    this.#start = undefined;
    if (start === undefined) this.#close();
    else if (this.#isInMessage && this.#key === 'id') this.#id = this.#idOf(start, end);
  }

  /** @returns whether it is the batch, or a message. */
  #open(byte: number): boolean {
    if (byte === OPEN_BRACKET && !this.isBatch) {
      this.isBatch = true;
      return true;
    }
    this.#isInMessage = byte === OPEN_BRACE;
    this.#id = undefined;
    this.#hasMethod = false;
    return this.#isInMessage;
  }

  #close(): void {
    // With an id but no method it is a response.
    if (this.#isInMessage && this.#hasMethod && this.#id !== undefined) this.ids.push(this.#id);
    this.#isInMessage = false;
  }

  /** A string, a number or `null`. */
  #idOf(start: number, end: number): string | undefined {
    const isId = STARTS_OF_IDS.has(this.#body[start] ?? 0);
    return isId ? this.#body.toString('utf8', start, end) : undefined;
  }
}
