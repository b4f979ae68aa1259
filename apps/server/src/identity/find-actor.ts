import type { Db } from '../platform/database/store.ts';
import type { FoundActor } from './authenticator.ts';
import { findOauthActor, isOauthToken } from './oauth-tokens.ts';
import { hashToken } from './token-secret.ts';
import { findActorByHash } from './tokens.ts';

/** Finds the actor of an unexpired bearer token of any kind with one indexed read. @param publicUrl our origin */
export async function findActor(
  db: Db,
  publicUrl: string,
  token: string,
): Promise<FoundActor | undefined> {
  const hash = hashToken(token);
  if (isOauthToken(token)) return findOauthActor(db, publicUrl, hash);
  const actor = await findActorByHash(db, hash);
  return actor && { actor, usableUntil: actor.tokenExpiresAt };
}
