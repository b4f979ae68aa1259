import { type FoundKey, textOf } from '../json/keys.ts';
import type { JsonReader } from '../json/scanner.ts';
import { Draft } from './draft.ts';
import type { Envelope, Message } from './message.ts';
import { CHILDREN, MESSAGE, META, NOTIFICATIONS, PARAMS, type Place, REF } from './places.ts';

/** Bytes of a name or URI: Node allows this length for the headers that repeat it. */
export const MAX_TEXT = 16 * 1024;

/** The messages of a batch are judged one after another. */
const MAX_MESSAGES = 1000;

/** Of a message. */
const MAX_URIS = 1000;

/** The methods of the calls that are recorded with what they call. */
const CALLS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

const [OBJECT, ARRAY, NULL] = Buffer.from('{[n');
const STARTS_OF_IDS = new Set(Buffer.from('"-0123456789n'));

const EMPTY = Buffer.alloc(0);

const BATCH = 'batch';
const URIS = 'uris';

/** Collects what rules about names need from the messages of a body, and finds what is ambiguous. */
export class EnvelopeReader implements JsonReader {
  /** The part of the body that is looked at, and its position in the body. */
  #bytes: Buffer = EMPTY;
  #base = 0;
  readonly #messages: Message[] = [];
  /** What the reader is inside, outermost first. */
  readonly #inside: (Place | typeof BATCH | typeof URIS)[] = [];
  #draft = new Draft();
  /** The keys found so far in the message that may occur only once. */
  #seen: FoundKey[] = [];
  #key: FoundKey | undefined;
  #start = 0;
  /** Where a text begins that is needed and has not ended; infinity if there is no such text. */
  #openText = Number.POSITIVE_INFINITY;
  /** Whether the reader is in a value that it does not look into. */
  #isInValue = false;
  #isBatch = false;
  /** The first one. Reading goes on after it, to find the methods. */
  #fault: string | undefined;
  #mayCall = false;

  /**
   * What is read from here on. Begins at the latest with a key or text that has not ended.
   *
   * @param base the position of the first byte in the body
   */
  look(bytes: Buffer, base = 0): void {
    this.#bytes = bytes;
    this.#base = base;
  }

  get openText(): number {
    return this.#openText;
  }

  /** Complete once the body has been read to its end. */
  get envelope(): Envelope {
    const [message] = this.#messages;
    if (this.#fault !== undefined) {
      return { kind: 'unreadable', reason: this.#fault, mayCall: this.#mayCall };
    }
    if (this.#isBatch || message === undefined) return { kind: 'batch', messages: this.#messages };
    return { kind: 'message', message };
  }

  key(start: number, end: number): void {
    const place = this.#inside.at(-1);
    if (typeof place !== 'object') return;
    const key = place.keys.find(this.#bytes, start - this.#base, end - this.#base);
    this.#key = key;
    if (key === undefined || !place.once.has(key.name)) return;
    if (key.isLookAlike) {
      this.#refuse(`A key differs from "${key.name}" only in case or by U+0000.`);
    } else if (this.#seen.includes(key)) {
      this.#refuse(`The key "${key.name}" is repeated.`);
    } else {
      this.#seen.push(key);
      if (key.name === 'task') this.#draft.hasTask = true;
    }
  }

  begin(start: number, byte: number): boolean {
    const next = this.#enter(byte);
    this.#isInValue = next === undefined;
    this.#start = start;
    if (next === undefined) {
      if (this.#mayTake(byte)) this.#openText = start;
      return false;
    }
    if (next === MESSAGE) this.#beginMessage();
    if (next === REF) this.#draft.ref = {};
    this.#isBatch ||= next === BATCH;
    this.#inside.push(next);
    return true;
  }

  end(end: number): void {
    this.#openText = Number.POSITIVE_INFINITY;
    if (this.#isInValue) {
      this.#isInValue = false;
      this.#take(end);
    } else if (this.#inside.pop() === MESSAGE) this.#endMessage();
  }

  /** What the reader looks into, if a value begins with this byte. */
  #enter(byte: number): Place | typeof BATCH | typeof URIS | undefined {
    const place = this.#inside.at(-1);
    if (place === undefined && byte === ARRAY) return BATCH;
    if (place === undefined || place === BATCH) return this.#enterMessage(byte);
    if (place === URIS || this.#key === undefined) return undefined;
    if (place === NOTIFICATIONS) return this.#enterUris(byte);
    const child = CHILDREN.get(place)?.get(this.#key.name);
    if (child === undefined || byte === OBJECT) return child;
    if (child === PARAMS) this.#refuse('params must be an object.');
    if (child === NOTIFICATIONS && byte !== NULL) this.#draft.hasOddSubscriptions = true;
    return undefined;
  }

  #enterMessage(byte: number): Place | undefined {
    if (byte === OBJECT) return MESSAGE;
    this.#mayCall = true;
    const isNested = byte === ARRAY;
    this.#refuse(isNested ? 'A batch is inside a batch.' : 'A JSON-RPC message is an object.');
    return undefined;
  }

  #enterUris(byte: number): typeof URIS | undefined {
    if (byte === ARRAY) return URIS;
    // Some clients write null for "no list".
    if (byte !== NULL) this.#draft.hasOddSubscriptions = true;
    return undefined;
  }

  #beginMessage(): void {
    this.#draft = new Draft();
    this.#seen = [];
  }

  #endMessage(): void {
    const { isUnclear, message } = this.#draft;
    if (isUnclear && message.fault !== undefined) this.#refuse(message.fault);
    if (this.#messages.length === MAX_MESSAGES) {
      this.#mayCall = true;
      this.#refuse(`A batch has at most ${MAX_MESSAGES} messages.`);
    } else this.#messages.push(message);
  }

  /** Whether a value that begins with this byte may be needed. */
  #mayTake(byte: number): boolean {
    return this.#key !== undefined && STARTS_OF_IDS.has(byte);
  }

  /** Takes the value that has ended, if it is needed. */
  #take(end: number): void {
    const place = this.#inside.at(-1);
    const name = this.#key?.name;
    if (place === URIS) this.#takeUri(end);
    else if (place === META && name === 'progressToken')
      this.#draft.progressToken = this.#rawTo(end);
    else if (place === META) this.#takeVersion(end);
    else if (place === MESSAGE && name === 'id') this.#takeId(end);
    else if (place === MESSAGE && name === 'method') this.#takeMethod(end);
    else if (place === PARAMS && name === 'name') this.#takeName(this.#draft, end);
    else if (place === PARAMS && name === 'uri') this.#draft.uri = this.#textTo(end);
    else if (place === REF && this.#draft.ref !== undefined) {
      if (name === 'name') this.#takeName(this.#draft.ref, end);
      else if (name === 'type' || name === 'uri') this.#draft.ref[name] = this.#textTo(end);
    }
  }

  #takeMethod(end: number): void {
    const method = this.#textTo(end);
    this.#draft.method = method;
    this.#mayCall ||= method === null || CALLS.has(method);
  }

  #takeName(holder: Draft | NonNullable<Draft['ref']>, end: number): void {
    holder.name = this.#textTo(end);
    if (holder.name !== null) holder.nameAt = { start: this.#start, end };
  }

  #takeId(end: number): void {
    const start = this.#start - this.#base;
    if (STARTS_OF_IDS.has(this.#bytes[start] ?? 0)) {
      this.#draft.id = this.#rawTo(end);
      this.#draft.idAt = { start: this.#start, end };
    } else this.#refuse('The id must be a string, a number or null.');
  }

  #takeUri(end: number): void {
    const uris = this.#draft.resourceSubscriptions;
    const uri = uris.length < MAX_URIS ? this.#textTo(end) : null;
    if (uri === null) this.#draft.hasOddSubscriptions = true;
    else uris.push(uri);
  }

  #takeVersion(end: number): void {
    if (this.#key === undefined || this.#key.isLookAlike) return;
    const version = this.#textTo(end) ?? undefined;
    const { protocolVersion = version } = this.#draft;
    if (version !== protocolVersion) this.#refuse('params._meta states two protocol versions.');
    this.#draft.protocolVersion = version;
  }

  #rawTo(end: number): string {
    return this.#bytes.toString('utf8', this.#start - this.#base, end - this.#base);
  }

  #textTo(end: number): string | null {
    return textOf(this.#bytes, this.#start - this.#base, end - this.#base, MAX_TEXT);
  }

  #refuse(reason: string): void {
    this.#fault ??= reason;
  }
}
