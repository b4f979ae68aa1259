import { type Key, keyOf, MAX_KEY } from './message-key.ts';
import { ValueSkipper } from './value-skipper.ts';

/** The ids that an error response to a JSON-RPC body needs, as raw JSON, byte for byte. */
export type MessageIds =
  | { readonly kind: 'request'; readonly id: string }
  /** A batch (MCP 2025-03-26): the ids of its requests. */
  | { readonly kind: 'batch'; readonly ids: readonly string[] }
  /** Only notifications or responses: nothing to respond to in JSON-RPC. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed' };

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, QUOTE, COLON, COMMA] =
  Buffer.from('{}[]":,');
const [SPACE, TAB, LINE_FEED, CARRIAGE_RETURN] = Buffer.from(' \t\n\r');

/** `{"id":,"method":0},`: the fewest bytes of a request in a body, besides its id. */
const MIN_REQUEST = 19;

/** Bytes that the ids of a body may occupy; the ids of every body that is read whole fit. */
const MAX_IDS = 256 * 1024;

/** What is expected next, after the value that is being skipped. */
type Next =
  | 'body'
  | 'first item'
  | 'item'
  | 'after item'
  | 'first key'
  | 'key'
  | 'colon'
  | 'member'
  | 'after member'
  | 'end'
  | 'malformed';

/**
 * Finds the ids of the requests in a JSON-RPC body that arrives in chunks, in constant memory. Like
 * `JSON.parse`, it uses the last of several equal keys and decodes escapes in keys. Values other than
 * ids are skipped without validation: `malformed` reports errors outside of them only.
 */
export class MessageIdScanner {
  readonly #skipper = new ValueSkipper();
  #next: Next = 'body';
  #isBatch = false;
  #key: Key = 'other';
  #id: string | undefined;
  #hasMethod = false;
  /** Of the messages that have ended. */
  #ids: string[] = [];
  /** Bytes left for ids; negative once there were too many. */
  #idBudget = MAX_IDS;
  /** Where in the chunk the value that is being skipped begins, and how many of its bytes may be captured. */
  #from = 0;
  #captureBudget = 0;
  /** The bytes of that value from earlier chunks: copies, so that whole chunks are not kept alive. */
  #captured: Buffer[] = [];

  feed(chunk: Buffer): void {
    this.#from = 0;
    let at = 0;
    while (at < chunk.length && this.#next !== 'malformed') {
      if (this.#skipper.isOpen) {
        at = this.#skipper.skip(chunk, at);
        if (!this.#skipper.isOpen) this.#endValue(chunk, at);
      } else {
        const byte = chunk[at] as number;
        if (!isBlank(byte)) this.#handle(byte, at);
        at += 1;
      }
    }
    if (this.#skipper.isOpen) this.#capture(chunk.subarray(this.#from));
  }

  /** Whether the ids are known: only a second `id` or a syntax error could still change them. */
  get isSettled(): boolean {
    return this.#next === 'malformed' || (!this.#isBatch && this.#messageId() !== undefined);
  }

  /** @param isComplete whether the whole body has been fed; otherwise the ids found so far are returned. */
  messageIds(isComplete: boolean): MessageIds {
    if (this.#next === 'malformed' || (isComplete && !this.#isAtEnd())) {
      return { kind: 'malformed' };
    }
    const id = this.#messageId();
    if (!this.#isBatch) return id === undefined ? { kind: 'nothing' } : { kind: 'request', id };
    const ids = id === undefined ? this.#ids : [...this.#ids, id];
    return ids.length === 0 || this.#idBudget < 0 ? { kind: 'nothing' } : { kind: 'batch', ids };
  }

  #isAtEnd(): boolean {
    return this.#next === 'end' && (!this.#skipper.isOpen || this.#skipper.isLiteral);
  }

  /** The id of the current message if it is a request: with an id but no method it is a response. */
  #messageId(): string | undefined {
    return this.#hasMethod ? this.#id : undefined;
  }

  /** Handles a byte outside of values. */
  #handle(byte: number, at: number): void {
    switch (this.#next) {
      case 'body':
      case 'first item':
      case 'item':
        this.#handleItem(byte, at);
        return;
      case 'after item':
        this.#next =
          byte === COMMA ? 'item' : byte === CLOSE_BRACKET && this.#isBatch ? 'end' : 'malformed';
        return;
      case 'first key':
      case 'key':
        this.#handleKey(byte, at);
        return;
      case 'colon':
        this.#next = byte === COLON ? 'member' : 'malformed';
        return;
      case 'member':
        this.#beginValue(byte, at, 'after member', this.#key === 'id' ? MAX_IDS : 0);
        return;
      case 'after member':
        if (byte === CLOSE_BRACE) this.#endMessage();
        else this.#next = byte === COMMA ? 'key' : 'malformed';
        return;
      default:
        this.#next = 'malformed';
    }
  }

  #handleItem(byte: number, at: number): void {
    if (byte === OPEN_BRACE) {
      this.#id = undefined;
      this.#hasMethod = false;
      this.#next = 'first key';
    } else if (byte === OPEN_BRACKET && this.#next === 'body') {
      this.#isBatch = true;
      this.#next = 'first item';
    } else if (byte === CLOSE_BRACKET && this.#next === 'first item') {
      this.#next = 'end';
    } else {
      this.#beginValue(byte, at, this.#isBatch ? 'after item' : 'end', 0);
    }
  }

  #handleKey(byte: number, at: number): void {
    if (byte === QUOTE) this.#beginValue(byte, at, 'colon', MAX_KEY);
    else if (byte === CLOSE_BRACE && this.#next === 'first key') this.#endMessage();
    else this.#next = 'malformed';
  }

  #endMessage(): void {
    this.#next = this.#isBatch ? 'after item' : 'end';
    const id = this.#messageId();
    if (id === undefined || !this.#isBatch) return;
    this.#id = undefined;
    this.#idBudget -= id.length + MIN_REQUEST;
    if (this.#idBudget < 0) this.#ids = [];
    else this.#ids.push(id);
  }

  #beginValue(byte: number, at: number, next: Next, captureBudget: number): void {
    this.#next = this.#skipper.begin(byte) ? next : 'malformed';
    this.#from = at;
    this.#captureBudget = captureBudget;
    if (this.#captured.length > 0) this.#captured = [];
  }

  #capture(bytes: Buffer): void {
    if (bytes.length <= this.#captureBudget) this.#captured.push(Buffer.from(bytes));
    this.#captureBudget -= bytes.length;
    if (this.#captureBudget < 0) this.#captured = [];
  }

  #endValue(chunk: Buffer, end: number): void {
    if (this.#next === 'colon') {
      this.#key = this.#read(chunk, end, keyOf) ?? 'other';
    } else if (this.#next === 'after member') {
      if (this.#key === 'method') this.#hasMethod = true;
      if (this.#key === 'id') this.#id = this.#read(chunk, end, idOf);
    }
  }

  /** Parses the value that ends here, if it is short enough; `parse` throws when it is not JSON. */
  #read<T>(
    chunk: Buffer,
    end: number,
    parse: (bytes: Buffer, from: number, end: number) => T,
  ): T | undefined {
    if (end - this.#from > this.#captureBudget) return undefined;
    try {
      if (this.#captured.length === 0) return parse(chunk, this.#from, end);
      const bytes = Buffer.concat([...this.#captured, chunk.subarray(0, end)]);
      return parse(bytes, 0, bytes.length);
    } catch {
      this.#next = 'malformed';
      return undefined;
    }
  }
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

/** The text of a valid id. @throws SyntaxError */
function idOf(bytes: Buffer, from: number, end: number): string | undefined {
  const text = bytes.toString('utf8', from, end);
  const id: unknown = JSON.parse(text);
  return id === null || typeof id === 'string' || typeof id === 'number' ? text : undefined;
}
