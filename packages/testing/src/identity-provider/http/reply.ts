/** A whole HTTP response. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON response that no cache keeps (RFC 6749, section 5.1). */
export function jsonReply(
  status: number,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
    body: JSON.stringify(body),
  };
}

/** A page. */
export function htmlReply(status: number, body: string): Reply {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: `<!doctype html>\n${body}` };
}

/** A redirect after which a browser sends a GET. */
export function redirectReply(url: URL): Reply {
  return { status: 303, headers: { Location: url.href, 'Cache-Control': 'no-store' }, body: '' };
}
