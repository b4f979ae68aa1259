const [OPEN_BRACE, OPEN_BRACKET] = Buffer.from('{[');

/** What may come before a JSON text: white space and a byte order mark. */
const LEADING: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\uFEFF'));

/**
 * Whether a text with this beginning may be an object or array. Anything but a visible ASCII character counts
 * too, as it may be one in another encoding. Undefined as long as the text has not begun.
 */
export function mayBeJson(chunk: Buffer): boolean | undefined {
  const first = chunk.find((byte) => !LEADING.has(byte));
  if (first === undefined) return undefined;
  const isVisible = first > 0x20 && first < 0x7f;
  return !isVisible || first === OPEN_BRACE || first === OPEN_BRACKET;
}
