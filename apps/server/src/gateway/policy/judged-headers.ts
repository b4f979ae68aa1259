/** All values of the headers that say how a body is read, or what it holds, by their names in lower case. */
export type JudgedHeaders = Readonly<Record<string, readonly string[] | undefined>>;

const JUDGED = /^(?:mcp-|content-type$|content-encoding$)/i;

/** The first letters of their names. */
const INITIALS = 'mMcC';

/**
 * Reads them from the raw headers: Node's `headers` drops a second `Content-Type`, which the upstream gets, and
 * `headersDistinct` would collect every header.
 */
export function judgedHeadersOf(rawHeaders: readonly string[]): JudgedHeaders {
  const found: Record<string, string[]> = {};
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (!INITIALS.includes(name.charAt(0)) || !JUDGED.test(name)) continue;
    const key = name.toLowerCase();
    const values = found[key];
    if (values === undefined) found[key] = [rawHeaders[i + 1] as string];
    else values.push(rawHeaders[i + 1] as string);
  }
  return found;
}
