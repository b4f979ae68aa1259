import { hash, randomBytes } from 'node:crypto';
import type { Store } from '../platform/database/store.ts';
import {
  deleteBrowserSession,
  deleteBrowserSessionsOf,
  findBrowserSession,
  insertBrowserSession,
  LONGEST,
  touchBrowserSession,
} from './browser-session-rows.ts';
import { createCookie } from './cookies.ts';
import type { SignedInPerson } from './signed-in-person.ts';

export type { SignedInPerson } from './signed-in-person.ts';

/** Milliseconds between two writes of when a browser was last seen. */
const SEEN_EVERY = 60_000;

/** The sign-ins of people with their browsers. A header is the request's `Cookie`. */
export interface BrowserSessions {
  /** One indexed read. A session ends after 7 days of silence, and after 30 days. */
  find(cookieHeader: string | undefined): Promise<SignedInPerson | undefined>;
  /**
   * Begins a session, and ends the one that the header names: a value that the browser brought is never
   * used again.
   *
   * @param passwordHash the hash that the person's password was compared with: if they have another one
   *   by now, no session begins
   * @returns the Set-Cookie value
   * @throws ProblemError `unauthenticated` when the member is gone, or has another password
   */
  begin(userId: string, cookieHeader: string | undefined, passwordHash?: string): Promise<string>;
  /** Signs out here. @returns the Set-Cookie value that removes the cookie */
  end(cookieHeader: string | undefined): Promise<string>;
  /** Signs out everywhere. */
  endAll(userId: string): Promise<void>;
}

/** @param publicUrl decides the cookie's name and whether it needs https */
export function createBrowserSessions(store: Store, publicUrl: string): BrowserSessions {
  const { db } = store;
  const cookie = createCookie('gatehouse', publicUrl);
  const hashIn = (header: string | undefined) => {
    const value = cookie.read(header);
    return value === undefined ? undefined : hashOf(value);
  };
  return {
    async find(header) {
      const hashed = hashIn(header);
      const found = hashed && (await findBrowserSession(db, hashed));
      if (!found) return undefined;
      const { silentFor, ...person } = found;
      if (silentFor >= SEEN_EVERY) await touchBrowserSession(db, person.sessionId, SEEN_EVERY);
      return person;
    },
    async begin(userId, header, passwordHash) {
      const value = randomBytes(32).toString('base64url');
      const previous = hashIn(header);
      await store.transaction(async (tx) => {
        if (previous !== undefined) await deleteBrowserSession(tx.db, previous);
        await insertBrowserSession(tx.db, { userId, hash: hashOf(value), passwordHash });
      });
      return cookie.set(value, LONGEST);
    },
    async end(header) {
      const hashed = hashIn(header);
      if (hashed !== undefined) await deleteBrowserSession(db, hashed);
      return cookie.clear();
    },
    endAll: (userId) => deleteBrowserSessionsOf(db, userId),
  };
}

function hashOf(value: string): Buffer<ArrayBuffer> {
  return Buffer.from(hash('sha256', value, 'buffer'));
}
