const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const OPENING = 1;
const CLOSING = 2;
const STRING = 3;
const LITERAL = 4;
const BLANK = 5;

/** The kind of a byte outside of strings; 0 for commas and colons. */
const KINDS = new Uint8Array(256).fill(LITERAL);
for (const byte of Buffer.from('{[')) KINDS[byte] = OPENING;
for (const byte of Buffer.from('}]')) KINDS[byte] = CLOSING;
for (const byte of Buffer.from('"')) KINDS[byte] = STRING;
for (const byte of Buffer.from(' \t\n\r')) KINDS[byte] = BLANK;
for (const byte of Buffer.from(',:')) KINDS[byte] = 0;

/** Bytes compared one by one before calling `indexOf`: the call alone costs about as much. */
const NEAR = 32;

/** The index of the first byte that is no white space (RFC 8259 section 2). */
export function skipBlanks(json: Buffer, start: number): number {
  let at = start;
  while (at < json.length && KINDS[json[at] as number] === BLANK) at += 1;
  return at;
}

/** The index after the value that begins at `start`, in valid JSON. Counts brackets and quotes. */
export function endOfValue(json: Buffer, start: number): number {
  let at = start;
  let depth = 0;
  do {
    const kind = KINDS[json[at] as number];
    if (kind === STRING) at = endOfString(json, at);
    else if (kind === LITERAL && depth === 0) return endOfLiteral(json, at);
    else at += 1;
    if (kind === OPENING) depth += 1;
    else if (kind === CLOSING) depth -= 1;
  } while (depth > 0 && at < json.length);
  return at;
}

/** The index after the closing quote of the string that begins at `start`, in valid JSON. */
export function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  const near = Math.min(json.length, at + NEAR);
  while (at < near) {
    const byte = json[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  let quote = json.indexOf(QUOTE, at);
  while (quote !== -1 && isEscaped(json, at, quote)) quote = json.indexOf(QUOTE, quote + 1);
  return quote === -1 ? json.length : quote + 1;
}

/** Whether an odd number of backslashes precedes `end`, counted back to `start` at most. */
function isEscaped(json: Buffer, start: number, end: number): boolean {
  let at = end;
  while (at > start && json[at - 1] === BACKSLASH) at -= 1;
  return (end - at) % 2 === 1;
}

function endOfLiteral(json: Buffer, start: number): number {
  let at = start;
  while (at < json.length && KINDS[json[at] as number] === LITERAL) at += 1;
  return at;
}
