import type { Cache, Loaded } from '../platform/changes/cache.ts';
import type { Db } from '../platform/database/store.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import { routeGone, sessionRevoked } from './problems.ts';
import { findRefusal } from './repository.ts';
import type { SessionCaller, SessionRoute } from './sessions.ts';

export interface RefusalsDeps {
  readonly db: Db;
  /** By token and attachment: those that are not refused. */
  readonly cache: Cache<true>;
}

/**
 * Whether tokens may be active on attachments. A client of MCP 2026-07-28 has no handshake to be
 * refused at, so after its session was revoked its calls are, for as long as that session could
 * have gone on by itself.
 */
export class Refusals {
  readonly #deps: RefusalsDeps;

  constructor(deps: RefusalsDeps) {
    this.#deps = deps;
  }

  check(route: SessionRoute, caller: SessionCaller): undefined | Promise<void> {
    const key = caller.tokenId + route.attachmentId;
    return this.#deps.cache.peek(key) ? undefined : this.#read(key, route, caller);
  }

  async #read(key: string, route: SessionRoute, caller: SessionCaller): Promise<void> {
    await this.#deps.cache.get(key, () => this.#load(route, caller));
  }

  async #load({ attachmentId }: SessionRoute, { tokenId }: SessionCaller): Promise<Loaded<true>> {
    const left = await findRefusal(this.#deps.db, attachmentId, tokenId);
    if (left !== undefined) throw sessionRevoked(left);
    return { value: true, dependsOn: [{ kind: 'token', id: tokenId }] };
  }
}

/** Why no session was written: the token is refused, or what the session would rest on is gone. */
export async function whyNotOpened(
  db: Db,
  { attachmentId }: SessionRoute,
  { tokenId }: SessionCaller,
): Promise<ProblemError> {
  const left = await findRefusal(db, attachmentId, tokenId);
  return left === undefined ? routeGone() : sessionRevoked(left);
}
