import { hash } from 'node:crypto';
import type { Cache, Loaded } from '../platform/changes/create-cache.ts';
import { invalidToken } from './bearer.ts';
import { bearerIdOf, type Caller, dependenciesOf, isByOauth } from './caller.ts';

/** A caller, and until when the token itself may be used. */
export interface FoundCaller {
  readonly caller: Caller;
  readonly usableUntil: Date | null;
}

export interface AuthenticatorDeps {
  readonly cache: Cache<Caller>;
  /** One indexed read. Does not find expired tokens. */
  find(token: string): Promise<FoundCaller | undefined>;
  /** Reads a caller again; the OAuth access token may have expired. @throws ProblemError `unauthenticated` */
  findAgain(caller: Caller): Promise<Caller>;
  /** Records that the token was used. Returns at once: the write happens later. */
  noteUse(bearerId: string): void;
}

/** Finds the caller of a bearer token, cached until a row that it depends on changes. */
export interface Authenticator {
  /** The caller if it is cached; records the use of the token. */
  authenticateCached(token: string): Caller | undefined;
  /** Records the use of the token. @throws ProblemError `unauthenticated` for an unknown, expired or revoked one. */
  authenticate(token: string): Promise<Caller>;
  /**
   * The caller of a call under way, from memory or by one read, without recording a use. An OAuth call
   * goes on for as long as its grant, even if its access token has expired.
   *
   * @throws ProblemError `unauthenticated`
   */
  reauthenticate(token: string, caller: Caller): Promise<Caller>;
}

/** A hash, so that the cache contains no tokens either. */
function cacheKeyOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/** Caches a caller until a row that it was read from changes, or until its token expires. */
function loaded({ caller, usableUntil }: FoundCaller): Loaded<Caller> {
  return {
    value: caller,
    dependsOn: dependenciesOf(caller),
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
  const requireCaller = (token: string) => cache.get(cacheKeyOf(token), () => load(token));
  return {
    async reauthenticate(token, caller) {
      if (!isByOauth(caller)) return requireCaller(token);
      return cache.get(`${bearerIdOf(caller)} ${cacheKeyOf(token)}`, async () =>
        loaded({ caller: await findAgain(caller), usableUntil: caller.expiresAt }),
      );
    },
    authenticateCached(token) {
      const caller = cache.peek(cacheKeyOf(token));
      if (caller) noteUse(bearerIdOf(caller));
      return caller;
    },
    async authenticate(token) {
      const caller = await requireCaller(token);
      noteUse(bearerIdOf(caller));
      return caller;
    },
  };
}
