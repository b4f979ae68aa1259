import { hash } from 'node:crypto';
import type { Cache } from '../platform/changes/cache.ts';
import type { Actor } from './actor.ts';
import { invalidToken } from './bearer.ts';
import { hashToken } from './token-secret.ts';

export interface AuthenticatorDeps {
  readonly cache: Cache<Actor>;
  /** One indexed read by the token's SHA-256. Does not find expired tokens. */
  findByHash(tokenHash: Buffer): Promise<Actor | undefined>;
  /** Records that the token was used. Returns at once: the write happens later. */
  noteUse(tokenId: string): void;
}

/** Finds the actor of a bearer token, cached until a row that it depends on changes. */
export interface Authenticator {
  /** The actor if it is cached; records the use of the token. */
  authenticateCached(token: string): Actor | undefined;
  /** Records the use of the token. @throws ProblemError `unauthenticated` for an unknown, expired or revoked one. */
  authenticate(token: string): Promise<Actor>;
  /** The actor, from memory or by one read, without recording a use. @throws ProblemError `unauthenticated` */
  requireActor(token: string): Promise<Actor>;
}

/** A hash, so that the cache contains no tokens either. */
function cacheKeyOf(token: string): string {
  return hash('sha256', token, 'base64');
}

export function createAuthenticator({
  cache,
  findByHash,
  noteUse,
}: AuthenticatorDeps): Authenticator {
  const load = async (token: string) => {
    const actor = await findByHash(hashToken(token));
    if (!actor) throw invalidToken();
    return {
      value: actor,
      dependsOn: [
        { kind: 'token', id: actor.tokenId },
        { kind: 'member', id: actor.userId },
      ] as const,
      ...(actor.tokenExpiresAt ? { expiresAt: actor.tokenExpiresAt.getTime() } : {}),
    };
  };
  const requireActor = (token: string) => cache.get(cacheKeyOf(token), () => load(token));
  return {
    requireActor,
    authenticateCached(token) {
      const actor = cache.peek(cacheKeyOf(token));
      if (actor) noteUse(actor.tokenId);
      return actor;
    },
    async authenticate(token) {
      const actor = await requireActor(token);
      noteUse(actor.tokenId);
      return actor;
    },
  };
}
