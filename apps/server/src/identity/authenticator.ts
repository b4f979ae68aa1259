import { hash } from 'node:crypto';
import type { Cache } from '../platform/changes/cache.ts';
import type { Actor } from './actor.ts';
import { unauthenticated } from './bearer.ts';
import { hashToken } from './token-secret.ts';

/** What a stored token says of its bearer. */
export interface TokenRecord {
  readonly actor: Actor;
  readonly expiresAt: Date | null;
}

export interface AuthenticatorDeps {
  readonly cache: Cache<Actor>;
  /** One indexed read by the token's SHA-256; expired tokens are not found. */
  findByHash(tokenHash: Buffer): Promise<TokenRecord | undefined>;
  /** Notes, off the caller's path, that the token was used. */
  noteUse(tokenId: string): void;
}

/** Turns a bearer token into an actor; answers from memory while nothing it depends on changed. */
export interface Authenticator {
  peek(token: string): Actor | undefined;
  /** @throws ProblemError `unauthenticated` for a token that is unknown, expired or revoked. */
  authenticate(token: string): Promise<Actor>;
  /** Whose token it still is, which is no use of it. @throws ProblemError `unauthenticated` */
  recheck(token: string): Promise<Actor>;
}

/** Memory holds hashes too, never tokens. */
function cacheKeyOf(token: string): string {
  return hash('sha256', token, 'base64');
}

export function createAuthenticator({
  cache,
  findByHash,
  noteUse,
}: AuthenticatorDeps): Authenticator {
  const load = async (token: string) => {
    const record = await findByHash(hashToken(token));
    if (!record) throw unauthenticated('The access token is unknown, expired or revoked.', true);
    const { actor, expiresAt } = record;
    return {
      value: actor,
      dependsOn: [
        { kind: 'token', id: actor.tokenId },
        { kind: 'member', id: actor.userId },
      ] as const,
      ...(expiresAt ? { expiresAt: expiresAt.getTime() } : {}),
    };
  };
  const recheck = (token: string) => cache.get(cacheKeyOf(token), () => load(token));
  return {
    recheck,
    peek(token) {
      const actor = cache.peek(cacheKeyOf(token));
      if (actor) noteUse(actor.tokenId);
      return actor;
    },
    async authenticate(token) {
      const actor = await recheck(token);
      noteUse(actor.tokenId);
      return actor;
    },
  };
}
