const FALLBACK = '/account';

/** As long as a request target may be with which the sign-in began. */
const MAX_LENGTH = 8_000;

/** Stands for our own origin, where none is needed. */
const BASE = 'http://gatehouse.invalid';

/**
 * Where to go after sign-in: a path of our own, else `/account`. `//host` and `/\host` lead elsewhere,
 * and browsers drop tabs and line breaks before they look (URL standard, "basic URL parser").
 */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return FALLBACK;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.includes('\\')) return FALLBACK;
  if (!URL.canParse(value, BASE)) return FALLBACK;
  const { origin, pathname } = new URL(value, BASE);
  return origin === BASE && !pathname.startsWith('//') ? value : FALLBACK;
}
