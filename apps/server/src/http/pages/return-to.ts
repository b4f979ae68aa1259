import type { Response } from 'express';

/** Where a sign-in ends that did not begin on one of our pages. */
export const HOME = '/console';

/** The longest request target that a sign-in can begin with. */
const MAX_LENGTH = 8_000;

/** A placeholder for our origin. */
const BASE = 'http://gatehouse.invalid';

/**
 * Where to go after sign-in: one of our paths, else the console. `//host` and `/\host` lead elsewhere,
 * and browsers drop tabs and line breaks before they look (URL standard, "basic URL parser").
 */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return HOME;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.includes('\\')) return HOME;
  if (!URL.canParse(value, BASE)) return HOME;
  const { origin, pathname } = new URL(value, BASE);
  return origin === BASE && !pathname.startsWith('//') ? value : HOME;
}

/** Sends a person to sign in, and back. @param path of ours */
export function sendToSignIn(res: Response, path: string): void {
  res.redirect(303, `/sign-in?return_to=${encodeURIComponent(path)}`);
}
