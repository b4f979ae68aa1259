import { type Key, keyOf, MAX_KEY } from './message-key.ts';
import { ValueSkipper } from './value-skipper.ts';

/** What a JSON-RPC body asks, as far as an error answer needs to know. Ids are raw JSON, byte for byte. */
export type Asked =
  | { readonly kind: 'request'; readonly id: string }
  /** A batch of MCP 2025-03-26: the ids of its requests. */
  | { readonly kind: 'batch'; readonly ids: readonly string[] }
  /** Notifications or responses alone: nothing to answer in JSON-RPC. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed' };

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, QUOTE, COLON, COMMA] =
  Buffer.from('{}[]":,');
const [SPACE, TAB, LINE_FEED, CARRIAGE_RETURN] = Buffer.from(' \t\n\r');

/** `{"id":,"method":0},`: a body has at least so many bytes for each request beside its id. */
const MIN_REQUEST = 19;

/** What the ids of a body may take up; those of any body that is read whole fit. */
const MAX_IDS = 256 * 1024;

/** What comes next, once the value that is being skipped is over. */
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
 * Finds the ids of the requests in a JSON-RPC body that comes in chunks, wherever they stand, in
 * constant memory. Like `JSON.parse` it takes the last of several equal keys and reads escaped ones.
 * Values other than ids are skipped, not judged: `malformed` is only told of what lies around them.
 */
export class AskedScanner {
  readonly #skipper = new ValueSkipper();
  #next: Next = 'body';
  #isBatch = false;
  #key: Key = 'other';
  #id: string | undefined;
  #hasMethod = false;
  /** Of the messages that are over. */
  #ids: string[] = [];
  #room = MAX_IDS;
  /** Where the value that is being skipped begins in the chunk, and how many bytes of it are of interest. */
  #from = 0;
  #wanted = 0;
  /** What earlier chunks held of it: copies, so that no longer chunk is. */
  #kept: Buffer[] = [];

  feed(chunk: Buffer): void {
    this.#from = 0;
    let at = 0;
    while (at < chunk.length && this.#next !== 'malformed') {
      if (this.#skipper.isOpen) {
        at = this.#skipper.skip(chunk, at);
        if (!this.#skipper.isOpen) this.#endValue(chunk, at);
      } else {
        const byte = chunk[at] as number;
        if (!isBlank(byte)) this.#take(byte, at);
        at += 1;
      }
    }
    if (this.#skipper.isOpen) this.#keep(chunk.subarray(this.#from));
  }

  /** Whether it is known what to answer: only a second `id` or a fault could still come. */
  get isSettled(): boolean {
    return this.#next === 'malformed' || (!this.#isBatch && this.#requestId() !== undefined);
  }

  /** @param isComplete whether the whole body has been fed; of a part only what stands in it is told. */
  asked(isComplete: boolean): Asked {
    if (this.#next === 'malformed' || (isComplete && !this.#isAtEnd())) {
      return { kind: 'malformed' };
    }
    const id = this.#requestId();
    if (!this.#isBatch) return id === undefined ? { kind: 'nothing' } : { kind: 'request', id };
    const ids = id === undefined ? this.#ids : [...this.#ids, id];
    return ids.length === 0 || this.#room < 0 ? { kind: 'nothing' } : { kind: 'batch', ids };
  }

  #isAtEnd(): boolean {
    return this.#next === 'end' && (!this.#skipper.isOpen || this.#skipper.isLiteral);
  }

  /** The id of the last message, if that is a request: a message with an id alone is a response. */
  #requestId(): string | undefined {
    return this.#hasMethod ? this.#id : undefined;
  }

  #take(byte: number, at: number): void {
    switch (this.#next) {
      case 'body':
      case 'first item':
      case 'item':
        this.#takeItem(byte, at);
        return;
      case 'after item':
        this.#next =
          byte === COMMA ? 'item' : byte === CLOSE_BRACKET && this.#isBatch ? 'end' : 'malformed';
        return;
      case 'first key':
      case 'key':
        this.#takeKey(byte, at);
        return;
      case 'colon':
        this.#next = byte === COLON ? 'member' : 'malformed';
        return;
      case 'member':
        this.#begin(byte, at, 'after member', this.#key === 'id' ? MAX_IDS : 0);
        return;
      case 'after member':
        if (byte === CLOSE_BRACE) this.#endMessage();
        else this.#next = byte === COMMA ? 'key' : 'malformed';
        return;
      default:
        this.#next = 'malformed';
    }
  }

  #takeItem(byte: number, at: number): void {
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
      this.#begin(byte, at, this.#isBatch ? 'after item' : 'end', 0);
    }
  }

  #takeKey(byte: number, at: number): void {
    if (byte === QUOTE) this.#begin(byte, at, 'colon', MAX_KEY);
    else if (byte === CLOSE_BRACE && this.#next === 'first key') this.#endMessage();
    else this.#next = 'malformed';
  }

  #endMessage(): void {
    this.#next = this.#isBatch ? 'after item' : 'end';
    const id = this.#requestId();
    if (id === undefined || !this.#isBatch) return;
    this.#id = undefined;
    this.#room -= id.length + MIN_REQUEST;
    if (this.#room < 0) this.#ids = [];
    else this.#ids.push(id);
  }

  #begin(byte: number, at: number, next: Next, wanted: number): void {
    this.#next = this.#skipper.begin(byte) ? next : 'malformed';
    this.#from = at;
    this.#wanted = wanted;
    if (this.#kept.length > 0) this.#kept = [];
  }

  #keep(bytes: Buffer): void {
    if (bytes.length <= this.#wanted) this.#kept.push(Buffer.from(bytes));
    this.#wanted -= bytes.length;
    if (this.#wanted < 0) this.#kept = [];
  }

  #endValue(chunk: Buffer, end: number): void {
    if (this.#next === 'colon') {
      this.#key = this.#read(chunk, end, keyOf) ?? 'other';
    } else if (this.#next === 'after member') {
      if (this.#key === 'method') this.#hasMethod = true;
      if (this.#key === 'id') this.#id = this.#read(chunk, end, idOf);
    }
  }

  /** What `parse` makes of the value that ends here, if it is short enough; it throws for what is no JSON. */
  #read<T>(
    chunk: Buffer,
    end: number,
    parse: (bytes: Buffer, from: number, end: number) => T,
  ): T | undefined {
    if (end - this.#from > this.#wanted) return undefined;
    try {
      if (this.#kept.length === 0) return parse(chunk, this.#from, end);
      const bytes = Buffer.concat([...this.#kept, chunk.subarray(0, end)]);
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

/** The text of an id that can be answered. @throws SyntaxError */
function idOf(bytes: Buffer, from: number, end: number): string | undefined {
  const text = bytes.toString('utf8', from, end);
  const id: unknown = JSON.parse(text);
  return id === null || typeof id === 'string' || typeof id === 'number' ? text : undefined;
}
