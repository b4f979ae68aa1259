const BACKSLASH = 0x5c;
const ID = Buffer.from('"id"');
const METHOD = Buffer.from('"method"');

/** The length of `"method"` with every character escaped (`\u006d` …): a longer key is neither of the two. */
export const MAX_KEY = 2 + 6 * 'method'.length;

export type Key = 'id' | 'method' | 'other';

/**
 * Classifies a key of a JSON-RPC message, given as a string literal with its quotes.
 *
 * @throws SyntaxError for an invalid escape.
 */
export function keyOf(bytes: Buffer, from: number, end: number): Key {
  if (matches(bytes, from, end, ID)) return 'id';
  if (matches(bytes, from, end, METHOD)) return 'method';
  for (let at = from; at < end; at += 1) {
    if (bytes[at] === BACKSLASH) return classifyEscaped(bytes.toString('latin1', from, end));
  }
  return 'other';
}

function matches(bytes: Buffer, from: number, end: number, key: Buffer): boolean {
  if (end - from !== key.length) return false;
  for (let at = 1; at < key.length; at += 1) if (bytes[from + at] !== key[at]) return false;
  return true;
}

function classifyEscaped(literal: string): Key {
  const key: unknown = JSON.parse(literal);
  return key === 'id' || key === 'method' ? key : 'other';
}
