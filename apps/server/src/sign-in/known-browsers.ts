import { createCookie } from '../identity/cookies.ts';
import { newSecret } from '../platform/secrets.ts';
import type { Mac } from '../vault/mac.ts';

/** Seconds that a browser is known after a sign-in. */
const KNOWN = 180 * 24 * 60 * 60;

const VALUE = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9._-]{1,64})$/;

/**
 * Browsers that a person has signed in with before, by a signed cookie (OWASP, "Device cookies"). Each
 * has its own attempts, so that constant guessing does not keep the person out. The cookie grants no
 * access.
 */
export interface KnownBrowsers {
  /** What identifies the browser, when this person has signed in with it; otherwise `undefined`. */
  find(cookieHeader: string | undefined, userId: string): string | undefined;
  /** The Set-Cookie value after a sign-in. */
  remember(userId: string): string;
}

export function createKnownBrowsers(mac: Mac, publicUrl: string): KnownBrowsers {
  const cookie = createCookie('gatehouse-known', publicUrl);
  const signedText = (browser: string, userId: string) => `known ${browser} ${userId}`;
  return {
    find(header, userId) {
      const [, browser, tag, keyId] = VALUE.exec(cookie.read(header) ?? '') ?? [];
      if (browser === undefined || tag === undefined || keyId === undefined) return undefined;
      const bytes = Buffer.from(tag, 'base64url');
      return mac.verify(keyId, signedText(browser, userId), bytes) ? browser : undefined;
    },
    remember(userId) {
      const browser = newSecret();
      const { keyId, tag } = mac.sign(signedText(browser, userId));
      return cookie.set(`${browser}.${tag.toString('base64url')}.${keyId}`, KNOWN);
    },
  };
}
