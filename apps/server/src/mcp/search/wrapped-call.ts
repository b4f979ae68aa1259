import { KnownKeys } from '../json/keys.ts';
import type { Span } from '../json/node.ts';
import type { JsonReader } from '../json/scanner.ts';

const [OBJECT] = Buffer.from('{');

/** The objects that are looked into: the message, `params`, and what the wrapping call gives as arguments. */
type Place = 'message' | 'params' | 'wrapper';

const KEYS: Readonly<Record<Place, KnownKeys>> = {
  message: new KnownKeys(['params']),
  params: new KnownKeys(['arguments']),
  wrapper: new KnownKeys(['name', 'arguments']),
};
const INNER: Readonly<Partial<Record<Place, Place>>> = { message: 'params', params: 'wrapper' };

/** Where the parts of a wrapped call are in its body. */
export interface WrappedCall {
  /** The arguments of the wrapping call. */
  readonly wrapper: Span;
  /** A value of any kind. */
  readonly name: Span;
  /** An object; undefined where the call has no arguments. */
  readonly arguments: Span | undefined;
}

/** Finds the call that a call of our tool wraps, and refuses one that two parsers may read differently. */
export class WrappedCallReader implements JsonReader {
  readonly #body: Buffer;
  readonly #inside: Place[] = [];
  /** The keys that are looked for, as far as they have been found, with the object that has them. */
  readonly #seen = new Set<string>();
  #key: string | undefined;
  /** Where the value begins that has not ended and that is not looked into. */
  #start: number | undefined;
  #wrapperStart = 0;
  #wrapper: Span | undefined;
  #name: Span | undefined;
  #arguments: Span | undefined;
  #fault: string | undefined;

  constructor(body: Buffer) {
    this.#body = body;
  }

  /** Once the body has been read to its end. @returns a sentence if there is no such call */
  get call(): WrappedCall | string {
    if (this.#fault !== undefined) return this.#fault;
    if (this.#wrapper === undefined) return 'The arguments must be an object.';
    if (this.#name === undefined) return 'name is missing: it is the name of a tool.';
    return { wrapper: this.#wrapper, name: this.#name, arguments: this.#arguments };
  }

  key(start: number, end: number): void {
    const place = this.#inside.at(-1) ?? 'message';
    const found = KEYS[place].find(this.#body, start, end);
    this.#key = found?.name;
    if (found === undefined) return;
    const once = `${place} ${found.name}`;
    if (found.isLookAlike || this.#seen.has(once)) {
      this.#fault ??= `The key "${found.name}" is repeated, or misspelt.`;
    }
    this.#seen.add(once);
  }

  begin(start: number, byte: number): boolean {
    const place = this.#inside.at(-1);
    const next = place === undefined ? 'message' : this.#innerOf(place);
    if (next !== undefined && byte === OBJECT) {
      this.#inside.push(next);
      if (next === 'wrapper') this.#wrapperStart = start;
      return true;
    }
    this.#start = start;
    if (place === 'wrapper' && this.#key === 'arguments' && byte !== OBJECT) {
      this.#fault ??= 'arguments must be an object.';
    }
    return false;
  }

  #innerOf(place: Place): Place | undefined {
    return this.#key === undefined ? undefined : INNER[place];
  }

  end(end: number): void {
    const start = this.#start;
    this.#start = undefined;
    if (start === undefined) {
      if (this.#inside.pop() === 'wrapper') this.#wrapper = { start: this.#wrapperStart, end };
    } else if (this.#inside.at(-1) === 'wrapper') {
      if (this.#key === 'name') this.#name = { start, end };
      if (this.#key === 'arguments') this.#arguments = { start, end };
    }
  }
}
