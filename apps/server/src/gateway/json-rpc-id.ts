/** What a JSON-RPC body asks, as far as an error answer needs to know. Ids are raw JSON, byte for byte. */
export type Asked =
  | { readonly kind: 'request'; readonly id: string }
  /** A batch of MCP 2025-03-26: the ids of its requests. */
  | { readonly kind: 'batch'; readonly ids: readonly string[] }
  /** Notifications or responses alone: nothing to answer in JSON-RPC. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed' };

/**
 * Reads the request ids of a body. `JSON.parse` would round the ids that do not fit a double, so the
 * text of each id is cut out instead.
 *
 * @param isComplete whether `text` is the whole body; of a part only what stands in it is told.
 */
export function askedBy(text: string, isComplete: boolean): Asked {
  if (isComplete && !isJson(text)) return { kind: 'malformed' };
  const start = skipBlanks(text, 0);
  if (text[start] === '{') {
    const { id } = readMessage(text, start);
    return id === undefined ? { kind: 'nothing' } : { kind: 'request', id };
  }
  if (text[start] !== '[') return { kind: 'nothing' };
  const ids = readBatch(text, start);
  return ids.length === 0 ? { kind: 'nothing' } : { kind: 'batch', ids };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readBatch(text: string, start: number): string[] {
  const ids: string[] = [];
  let at = skipBlanks(text, start + 1);
  while (at < text.length && text[at] !== ']') {
    if (text[at] === '{') {
      const message = readMessage(text, at);
      if (message.id !== undefined) ids.push(message.id);
    }
    at = skipBlanks(text, skipValue(text, at));
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return ids;
}

/** The id of a request, which has a method too: a message with an id alone is a response. */
function readMessage(text: string, start: number): { id: string | undefined } {
  let id: string | undefined;
  let hasMethod = false;
  let at = skipBlanks(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = skipString(text, at);
    const valueStart = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    if (valueEnd > text.length) break;
    const key = keyOf(text.slice(at, keyEnd));
    if (key === 'method') hasMethod = true;
    if (key === 'id') id = text.slice(valueStart, valueEnd);
    at = skipBlanks(text, valueEnd);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return { id: hasMethod && id !== undefined && isIdText(id) ? id : undefined };
}

function isIdText(text: string): boolean {
  return text === 'null' || text.startsWith('"') || /^-?\d/.test(text);
}

function keyOf(quoted: string): string | undefined {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}

/** The index after the value at `start`; beyond the text when the value does not end in it. */
function skipValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return skipString(text, start);
  if (first !== '{' && first !== '[') return skipLiteral(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = skipString(text, at) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length + 1;
}

function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length + 1;
}

function skipLiteral(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (',]} \t\n\r'.includes(text[at] as string)) return at === start ? at + 1 : at;
  }
  return text.length + 1;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at += 1;
  return at;
}
