import type { Response } from 'express';

const FALLBACK = '/account';

/** The longest request target that a sign-in can begin with. */
const MAX_LENGTH = 8_000;

/** A placeholder for our origin. */
const BASE = 'http://gatehouse.invalid';

/**
 * Where to go after sign-in: one of our paths, else `/account`. `//host` and `/\host` lead elsewhere,
 * and browsers drop tabs and line breaks before they look (URL standard, "basic URL parser").
 */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return FALLBACK;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.includes('\\')) return FALLBACK;
  if (!URL.canParse(value, BASE)) return FALLBACK;
  const { origin, pathname } = new URL(value, BASE);
  return origin === BASE && !pathname.startsWith('//') ? value : FALLBACK;
}

/** Sends a person to sign in, and back. @param path of ours */
export function sendToSignIn(res: Response, path: string): void {
  res.redirect(303, `/sign-in?return_to=${encodeURIComponent(path)}`);
}
