import { type FoundKey, KnownKeys, textOf } from './json/keys.ts';

/** Bytes of a method, an id or a token. */
export const MAX_VALUE = 16 * 1024;

const METHOD_LENGTH = 200;

/** The keys at the top of a message, and of its `params`, that say what it is. */
export const HEAD_KEYS = new KnownKeys(['id', 'method', 'params', 'result', 'error']);
export const PARAMS_KEYS = new KnownKeys(['progressToken']);

/** The keys of which the value is read. */
export const HEAD_VALUES: ReadonlySet<string> = new Set(['id', 'method', 'progressToken']);

/** A message of a server, as far as it says which request it belongs to. */
export class MessageHead {
  /** Raw JSON, as is the token. */
  id: string | undefined;
  /** Null if it is no string. */
  method: string | null | undefined;
  progressToken: string | undefined;
  #isAmbiguous = false;
  readonly #seen = new Set<string>();

  /** Two clients may find different values. */
  get isAmbiguous(): boolean {
    const isResponse = this.has('result') || this.has('error');
    return this.#isAmbiguous || (isResponse && this.method !== undefined);
  }

  has(key: 'result' | 'error'): boolean {
    return this.#seen.has(key);
  }

  addKey({ name, isLookAlike }: FoundKey): void {
    if (isLookAlike || this.#seen.has(name)) this.#isAmbiguous = true;
    this.#seen.add(name);
  }

  /** @param key one of {@link HEAD_VALUES} */
  setValue(key: string, json: Buffer, start: number, end: number): void {
    if (end - start > MAX_VALUE) this.#isAmbiguous = true;
    else if (key === 'method') this.method = textOf(json, start, end, METHOD_LENGTH);
    else if (key === 'id') this.id = json.toString('utf8', start, end);
    else this.progressToken = json.toString('utf8', start, end);
  }

  /** It is something other than a message. */
  setUnreadable(): void {
    this.#isAmbiguous = true;
  }
}
