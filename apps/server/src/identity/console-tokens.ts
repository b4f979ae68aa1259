import { secretPrefixes } from '@gatehouse/contract';
import type { Db } from '../platform/database/store.ts';
import type { Mac } from '../vault/mac.ts';
import type { FoundCaller } from './authenticator.ts';
import { findConsoleCaller } from './console-caller.ts';

/** Milliseconds that a token lives: its page asks for the next one. */
export const CONSOLE_TOKEN_LIFETIME = 10 * 60_000;

export interface ConsoleToken {
  readonly accessToken: string;
  readonly expiresAt: Date;
}

/**
 * The console's tokens for the management API. They are signed instead of stored, because they hold nothing but the
 * browser session that they end with: finding the caller reads its row.
 */
export interface ConsoleTokens {
  issue(sessionId: string): ConsoleToken;
  /** The caller of an unexpired token, by one indexed read. */
  find(db: Db, token: string): Promise<FoundCaller | undefined>;
}

export function isConsoleToken(token: string): boolean {
  return token.startsWith(secretPrefixes.console);
}

/** @param mac for the purpose `console` */
export function createConsoleTokens(mac: Mac): ConsoleTokens {
  return {
    issue(sessionId) {
      const expiresAt = new Date(Date.now() + CONSOLE_TOKEN_LIFETIME);
      const claims = `${sessionId}.${expiresAt.getTime()}`;
      const { keyId, tag } = mac.sign(claims);
      const parts = [claims, tag.toString('base64url'), keyId];
      return { accessToken: secretPrefixes.console + parts.join('.'), expiresAt };
    },
    async find(db, token) {
      const claims = verified(mac, token.slice(secretPrefixes.console.length));
      if (claims === undefined || claims.expiresAt.getTime() <= Date.now()) return undefined;
      const caller = await findConsoleCaller(db, claims);
      return caller && { caller, usableUntil: claims.expiresAt };
    },
  };
}

/** What a token says, if we have signed it. A key id may contain dots, so it comes last. */
function verified(mac: Mac, signed: string) {
  const [sessionId = '', expiry = '', tag = '', ...keyId] = signed.split('.');
  const isOurs = mac.verify(
    keyId.join('.'),
    `${sessionId}.${expiry}`,
    Buffer.from(tag, 'base64url'),
  );
  return isOurs ? { sessionId, expiresAt: new Date(Number(expiry)) } : undefined;
}
