import type { Db } from '../platform/database/store.ts';
import type { FoundCaller } from './authenticator.ts';
import type { Caller, PersonCaller } from './caller.ts';
import { requireConsoleCaller } from './console-caller.ts';
import {
  findOauthCaller,
  isOauthToken,
  requireApplicationCaller,
  requireGrantedCaller,
} from './oauth-tokens.ts';
import { findTokenCaller, hashToken, requireTokenCaller } from './tokens.ts';

/** Finds the caller of an unexpired bearer token of any kind by at most two indexed reads. @param publicUrl our origin */
export async function findCaller(
  db: Db,
  publicUrl: string,
  token: string,
): Promise<FoundCaller | undefined> {
  const hash = hashToken(token);
  if (isOauthToken(token)) return findOauthCaller(db, publicUrl, hash);
  const caller = await findTokenCaller(db, hash);
  return caller && { caller, usableUntil: caller.expiresAt };
}

/**
 * Reads a caller again; the access token may have expired since.
 *
 * @throws ProblemError `unauthenticated` when the token, grant, member or application is gone
 */
export function findCallerAgain(db: Db, caller: Caller): Promise<Caller> {
  if (caller.kind === 'application') return requireApplicationCaller(db, caller);
  return readAgain(db, caller, { lock: false });
}

/**
 * Reads a caller again, and keeps the token or grant from being revoked, and the member from being
 * changed or removed, until the transaction ends.
 *
 * @throws ProblemError `unauthenticated` when the token, grant, member or application is gone
 */
export function lockCaller(db: Db, caller: PersonCaller): Promise<PersonCaller> {
  return readAgain(db, caller, { lock: true });
}

function readAgain(
  db: Db,
  caller: PersonCaller,
  options: { readonly lock: boolean },
): Promise<PersonCaller> {
  const { via, expiresAt } = caller;
  if (via.kind === 'browser_session') {
    return requireConsoleCaller(db, { sessionId: via.id, expiresAt }, options);
  }
  if (via.kind !== 'grant') return requireTokenCaller(db, via.id, options);
  return requireGrantedCaller(db, caller, via, options);
}
