/** All values of the headers that say how a body is read, or what it holds, by their names in lower case. */
export type JudgedHeaders = Readonly<Record<string, readonly string[] | undefined>>;

const JUDGED = /^(?:mcp-|content-type$|content-encoding$)/i;

/** By name as clients write it: in lower case, null for other headers. Bounded, since clients choose it. */
const keysByRawName = new Map<string, string | null>();
const MAX_RAW_NAMES = 500;

/**
 * Reads them from the raw headers: Node's `headers` drops a second `Content-Type`, which the upstream gets, and
 * `headersDistinct` would collect every header.
 */
export function judgedHeadersOf(rawHeaders: readonly string[]): JudgedHeaders {
  const found: Record<string, string[]> = {};
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const key = keyOf(name);
    if (key === null) continue;
    const values = found[key];
    if (values === undefined) found[key] = [rawHeaders[i + 1] as string];
    else values.push(rawHeaders[i + 1] as string);
  }
  return found;
}

function keyOf(name: string): string | null {
  const known = keysByRawName.get(name);
  if (known !== undefined) return known;
  const key = JUDGED.test(name) ? name.toLowerCase() : null;
  if (keysByRawName.size < MAX_RAW_NAMES) keysByRawName.set(name, key);
  return key;
}
