const [OPEN_BRACE, OPEN_BRACKET] = Buffer.from('{[');

/** What may stand before a text: white space and a byte order mark. */
const LEADING: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\uFEFF'));

/**
 * Whether the text that begins like this is an object or array. Anything but a visible character of ASCII
 * counts too, as it may be another encoding of one. Undefined as long as it has not begun.
 */
export function mayBeJson(chunk: Buffer): boolean | undefined {
  const first = chunk.find((byte) => !LEADING.has(byte));
  if (first === undefined) return undefined;
  const isVisible = first > 0x20 && first < 0x7f;
  return !isVisible || first === OPEN_BRACE || first === OPEN_BRACKET;
}
