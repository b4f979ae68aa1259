import { createCookie } from '../../identity/cookies.ts';
import type { Db } from '../../platform/database/store.ts';
import {
  type Attempt,
  attemptSecrets,
  deriveSecret,
  hashSecret,
  isSecret,
  newSecret,
} from '../../platform/secrets.ts';
import type { SignInSecrets } from './provider.ts';

/** Seconds that a person has for signing in at the provider. */
const LIFETIME = 15 * 60;

/** An attempt that has come back in the browser where it began. */
export interface TakenAttempt extends SignInSecrets {
  readonly returnTo: string;
}

/**
 * Attempts to sign in at the provider. Each belongs to one browser, by a cookie, and comes back once. A row
 * has the hashes of state and cookie; nonce and code verifier are derived from the cookie, and stored
 * nowhere.
 */
export interface Attempts {
  /** @param cookieHeader attempts in several windows share the cookie */
  begin(
    cookieHeader: string | undefined,
    returnTo: string,
  ): Promise<{ readonly secrets: SignInSecrets; readonly setCookie: string }>;
  /** Undefined if it is unknown, too old, has come back before, or began in another browser. */
  take(cookieHeader: string | undefined, state: unknown): Promise<TakenAttempt | undefined>;
}

export function createAttempts(db: Db, publicUrl: string): Attempts {
  const cookie = createCookie('gatehouse-external', publicUrl);
  return {
    async begin(header, returnTo) {
      const browser = cookie.read(header) ?? newSecret();
      const state = newSecret();
      const createdAt = new Date();
      await db.oauthState.create({
        data: {
          id: rowIdOf(state),
          payload: { browser: hashOf(browser), returnTo },
          createdAt,
          expiresAt: new Date(createdAt.getTime() + LIFETIME * 1000),
        },
      });
      return { secrets: secretsOf({ browser, state }), setCookie: cookie.set(browser, LIFETIME) };
    },
    async take(header, state) {
      const browser = cookie.read(header);
      if (browser === undefined || typeof state !== 'string' || !isSecret(state)) return undefined;
      const [taken] = await db.$queryRaw<{ returnTo: string }[]>`
        DELETE FROM "OauthState"
        WHERE "id" = ${rowIdOf(state)} AND "expiresAt" > now()
          AND "payload"->>'browser' = ${hashOf(browser)}
        RETURNING "payload"->>'returnTo' AS "returnTo"`;
      return taken && { ...secretsOf({ browser, state }), returnTo: taken.returnTo };
    },
  };
}

function secretsOf(attempt: Attempt): SignInSecrets {
  return { ...attemptSecrets(attempt, 'verifier'), nonce: deriveSecret(attempt, 'nonce') };
}

function rowIdOf(state: string): string {
  return `external ${hashOf(state)}`;
}

function hashOf(secret: string): string {
  return hashSecret(secret).toString('base64url');
}
