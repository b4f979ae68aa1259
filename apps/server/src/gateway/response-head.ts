/** A response's headers as undici reports them: names in lower case, repeated ones as an array. */
export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Nothing an upstream sends may act in a browser as if it came from our origin. */
export const OWN_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "sandbox; default-src 'none'",
];

const PASSED = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-disposition',
  'cache-control',
  'expires',
  'retry-after',
  'x-accel-buffering',
]);

/** Header values that may be written as they are: visible ASCII, obs-text, blank and tab (RFC 9110 section 5.5). */
const LEGAL_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** `Mcp-Session-Id` is ours to send: visible ASCII (2025-11-25 transports, "Session Management"). */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

/**
 * The upstream's headers that pass, as name, value, name, value …; everything else stays here,
 * cookies, challenges, redirects and its own CORS and security policy included.
 */
export function passedHeaders(headers: UpstreamHeaders): string[] {
  const passed: string[] = [];
  let isCacheable = false;
  for (const name in headers) {
    if (!PASSED.has(name) && !(name.startsWith('mcp-') && name !== 'mcp-session-id')) continue;
    const value = headers[name];
    if (typeof value !== 'string' || !LEGAL_VALUE.test(value)) continue;
    if (name === 'cache-control') isCacheable = true;
    passed.push(name, value);
  }
  if (!isCacheable) passed.push('Cache-Control', 'no-store');
  return passed;
}

/** The session id an upstream sent; one that breaks the rules for it counts as none. */
export function upstreamSessionIdOf(headers: UpstreamHeaders): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' && SESSION_ID.test(id) ? id : undefined;
}

export function isEventStream(headers: UpstreamHeaders): boolean {
  const type = headers['content-type'];
  return typeof type === 'string' && /^text\/event-stream\s*(;|$)/i.test(type);
}

/** The declared length, `undefined` without one. */
export function contentLengthOf(headers: UpstreamHeaders): number | undefined {
  const length = headers['content-length'];
  return typeof length === 'string' ? Number(length) : undefined;
}
