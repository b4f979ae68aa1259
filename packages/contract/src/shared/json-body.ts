import { limits } from './limits.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset="?([^\s;"]+)/i;

/**
 * True for `application/json` in UTF-8 (RFC 8259 section 8.1). Types that are written in JSON, such as
 * `application/merge-patch+json`, mean something else.
 */
export function isJsonContentType(type: string): boolean {
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  return JSON_TYPE.test(type) && charset.toLowerCase() === 'utf-8';
}

/** A body that is not JSON in UTF-8 (RFC 8259 section 8.1), or has more in it than any request needs. */
export class JsonBodyError extends Error {
  override readonly name = 'JsonBodyError';
  readonly reason: 'malformed' | 'too_many_values' | 'too_deep' | 'long_number';

  constructor(reason: JsonBodyError['reason']) {
    super(messages[reason]);
    this.reason = reason;
  }
}

const messages = {
  malformed: 'The body is not well-formed JSON.',
  too_many_values: `Must not have more than ${limits.bodyValues} values.`,
  too_deep: `Must not nest deeper than ${limits.bodyDepth} levels.`,
  long_number: `Must not have a number of more than ${limits.numberLength} characters.`,
} as const;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body, after its values and levels have been counted in the bytes: what is too much is
 * not built first.
 *
 * @throws JsonBodyError
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  requireLittle(bytes);
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new JsonBodyError('malformed');
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/** `{` and `[`, with the bit cleared in which they differ; `}` and `]` likewise. */
const OPEN = 0x5b;
const CLOSE = 0x5d;
const WITHOUT_CASE = 0xdf;

/** Every value but the first follows an opening bracket or a comma, and every name has a colon. */
function requireLittle(bytes: Uint8Array): void {
  let values = 0;
  let depth = 0;
  let digits = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfText(bytes, at + 1);
      continue;
    }
    digits = isDigit(byte) ? digits + 1 : 0;
    if (digits > limits.numberLength) throw new JsonBodyError('long_number');
    const bracket = byte & WITHOUT_CASE;
    if (bracket === CLOSE) depth -= 1;
    const isOpening = bracket === OPEN;
    if (isOpening) depth += 1;
    if (isOpening || byte === COMMA || byte === COLON) values += 1;
    if (values > limits.bodyValues) throw new JsonBodyError('too_many_values');
    if (depth > limits.bodyDepth) throw new JsonBodyError('too_deep');
  }
}

function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

/** The position of the quote that ends a text, or the end of the bytes. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
