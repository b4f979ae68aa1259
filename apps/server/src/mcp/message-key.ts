const BACKSLASH = 0x5c;
const ID = Buffer.from('"id"');
const METHOD = Buffer.from('"method"');

/** The length of `"method"` with every character escaped (`\u006d` …): a longer key is another one. */
export const MAX_KEY = 2 + 6 * 'method'.length;

export type Key = 'id' | 'method' | 'other';

/**
 * Which key of a JSON-RPC message a string literal is, quotes included.
 *
 * @throws SyntaxError for a wrong escape.
 */
export function keyOf(bytes: Buffer, from: number, end: number): Key {
  if (isAt(bytes, from, end, ID)) return 'id';
  if (isAt(bytes, from, end, METHOD)) return 'method';
  for (let at = from; at < end; at += 1) {
    if (bytes[at] === BACKSLASH) return unescaped(bytes.toString('latin1', from, end));
  }
  return 'other';
}

function isAt(bytes: Buffer, from: number, end: number, key: Buffer): boolean {
  if (end - from !== key.length) return false;
  for (let at = 1; at < key.length; at += 1) if (bytes[from + at] !== key[at]) return false;
  return true;
}

function unescaped(literal: string): Key {
  const key: unknown = JSON.parse(literal);
  return key === 'id' || key === 'method' ? key : 'other';
}
