import { hash } from 'node:crypto';
import type { Cache, Loaded } from '../platform/changes/cache.ts';
import type { Change } from '../platform/changes/changes.ts';
import type { Actor, Authorization } from './actor.ts';
import { invalidToken } from './bearer.ts';

/** An actor, and until when the token itself may be used. */
export interface FoundActor {
  readonly actor: Actor;
  readonly usableUntil: Date | null;
}

export interface AuthenticatorDeps {
  readonly cache: Cache<Actor>;
  /** One indexed read. Does not find expired tokens. */
  find(token: string): Promise<FoundActor | undefined>;
  /** Reads the grant of an actor whose OAuth access token may have expired. @throws ProblemError `unauthenticated` */
  findAgain(actor: Actor, authorization: Authorization): Promise<Actor>;
  /** Records that the token was used. Returns at once: the write happens later. */
  noteUse(tokenId: string): void;
}

/** Finds the actor of a bearer token, cached until a row that it depends on changes. */
export interface Authenticator {
  /** The actor if it is cached; records the use of the token. */
  authenticateCached(token: string): Actor | undefined;
  /** Records the use of the token. @throws ProblemError `unauthenticated` for an unknown, expired or revoked one. */
  authenticate(token: string): Promise<Actor>;
  /**
   * The actor of a call under way, from memory or by one read, without recording a use. An OAuth call
   * goes on for as long as its grant, even if its access token has expired.
   *
   * @throws ProblemError `unauthenticated`
   */
  recheck(token: string, actor: Actor): Promise<Actor>;
}

/** A hash, so that the cache contains no tokens either. */
function cacheKeyOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/** Caches an actor until a row that it was read from changes, or until its token expires. */
function loaded({ actor, usableUntil }: FoundActor): Loaded<Actor> {
  const rows: Change[] = [
    { kind: 'token', id: actor.tokenId },
    { kind: 'member', id: actor.userId },
  ];
  if (actor.authorization !== undefined) {
    rows.push({ kind: 'application', id: actor.authorization.applicationId });
  }
  return {
    value: actor,
    dependsOn: rows,
    ...(usableUntil ? { expiresAt: usableUntil.getTime() } : {}),
  };
}

export function createAuthenticator({
  cache,
  find,
  findAgain,
  noteUse,
}: AuthenticatorDeps): Authenticator {
  const load = async (token: string) => {
    const found = await find(token);
    if (!found) throw invalidToken();
    return loaded(found);
  };
  const requireActor = (token: string) => cache.get(cacheKeyOf(token), () => load(token));
  return {
    async recheck(token, actor) {
      const { authorization, tokenExpiresAt } = actor;
      if (authorization === undefined) return requireActor(token);
      return cache.get(`${actor.tokenId} ${cacheKeyOf(token)}`, async () =>
        loaded({ actor: await findAgain(actor, authorization), usableUntil: tokenExpiresAt }),
      );
    },
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
