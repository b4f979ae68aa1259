import { hash } from 'node:crypto';
import type { Actor } from '../platform/actor.ts';
import type { Cache } from '../platform/changes/cache.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { bearerTokenOf } from './bearer.ts';

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

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
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

/** The bearer token of an `Authorization` header. @throws ProblemError `unauthenticated` */
export function requireBearer(authorization: string | undefined): string {
  const token = bearerTokenOf(authorization);
  if (token === undefined) throw unauthenticated('An access token is required.', false);
  if (token !== null) return token;
  throw unauthenticated('The Authorization header is not a bearer token.', true);
}

/** 401 with the challenge of RFC 6750 section 3: bare without a token, `invalid_token` with a bad one. */
export function unauthenticated(detail: string, tokenGiven: boolean): ProblemError {
  const challenge = tokenGiven ? 'Bearer error="invalid_token"' : 'Bearer';
  return new ProblemError('unauthenticated', detail, {
    headers: { 'WWW-Authenticate': challenge },
  });
}
