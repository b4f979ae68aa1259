const TYPE = /^text\/event-stream\s*(;.*)?$/i;
const UTF_8 = /^;\s*charset\s*=\s*"?utf-8"?\s*;?\s*$/i;

/** Whether a `Content-Type` value means server-sent events (WHATWG HTML section 9.2). */
export function isEventStream(contentType: string | readonly string[] | undefined): boolean {
  return typeof contentType === 'string' && TYPE.test(contentType);
}

/**
 * Whether the bytes of an event stream can be read as they are. Event streams are always UTF-8, but some
 * clients decode what another `charset` or a `Content-Encoding` says.
 */
export function isPlainEventStream(
  contentType: string | readonly string[] | undefined,
  contentEncoding: string | readonly string[] | undefined,
): boolean {
  if (typeof contentType !== 'string') return false;
  const match = TYPE.exec(contentType);
  const parameters = match?.[1] ?? '';
  const isUtf8 = !/charset/i.test(parameters) || UTF_8.test(parameters);
  const isEncoded = contentEncoding !== undefined && contentEncoding !== 'identity';
  return match !== null && isUtf8 && !isEncoded;
}

/** Follows an event stream far enough to insert something between two events. */
export class EventBoundary {
  /** The last bytes of the stream. */
  #tail = '';

  /** Nothing has been sent yet. */
  get isAtStart(): boolean {
    return this.#tail === '';
  }

  /** After the blank line that ends an event or a comment. Lines that end with CR alone are not recognized. */
  get isBetweenEvents(): boolean {
    return /\n\r?\n$/.test(this.#tail);
  }

  feed(chunk: Buffer): void {
    const end = chunk.toString('latin1', Math.max(0, chunk.length - 3));
    this.#tail = (this.#tail + end).slice(-3);
  }
}

/** What begins an `endpoint` event, in lower case. */
const NAME = Buffer.from('event:endpoint');

/** Where blanks are skipped: before the field name, before the colon and before the value. */
const BLANKS_BEFORE = new Set([0, 'event'.length, 'event:'.length]);

/** Blank, tab, NUL and the bytes of a byte order mark. */
const BLANKS = tableOf(0x20, 0x09, 0x00, 0xef, 0xbb, 0xbf);

/**
 * Every line ending that some client accepts: those of WHATWG HTML section 9.2.6 and of Python's
 * `splitlines`. For U+0085, U+2028 and U+2029 it is the last byte.
 */
const LINE_ENDS = tableOf(0x0a, 0x0d, 0x0b, 0x0c, 0x1c, 0x1d, 0x1e, 0x85, 0xa8, 0xa9);

/** The line does not belong to an `endpoint` event. */
const OTHER = -1;

/**
 * Finds the `endpoint` event of the HTTP+SSE transport (2024-11-05), which tells a client where to send
 * its messages. Streamable HTTP has no such event. Parsing is lenient: anything that some client might
 * accept counts.
 */
export class EndpointEventScanner {
  /** How much of the name the current line has begun with, or {@link OTHER}. */
  #matched = 0;

  /** Whether the event has begun, in these bytes or before them. Nothing after that may be passed on. */
  feed(chunk: Uint8Array): boolean {
    let matched = this.#matched;
    for (let i = 0; i < chunk.length && matched < NAME.length; i += 1) {
      const byte = chunk[i] as number;
      if (LINE_ENDS[byte] === 1) matched = 0;
      else if (matched !== OTHER) matched = next(matched, byte);
    }
    this.#matched = matched;
    return matched === NAME.length;
  }
}

function next(matched: number, byte: number): number {
  if (BLANKS[byte] === 1 && BLANKS_BEFORE.has(matched)) return matched;
  const isUpper = byte >= 0x41 && byte <= 0x5a;
  return (isUpper ? byte + 0x20 : byte) === NAME[matched] ? matched + 1 : OTHER;
}

function tableOf(...bytes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
}
