import type { Cache, Loaded } from '../platform/changes/cache.ts';
import type { Changes } from '../platform/changes/changes.ts';
import { createCache } from '../platform/changes/create-cache.ts';
import type { Db } from '../platform/database/store.ts';
import { tokenBlocked } from './problems.ts';
import { findBlock } from './repository.ts';
import type { SessionCaller, SessionRoute } from './sessions.ts';

/** Pairs of a token and an attachment that are known not to be blocked, in memory at most. */
const MAX_UNBLOCKED = 50_000;

/**
 * Tokens that are blocked on attachments. A modern session has no handshake that could be refused,
 * so after one was revoked the calls of its token are, for as long as that session could have lasted
 * without activity.
 */
export class BlockedTokens {
  readonly #db: Db;
  readonly #unblocked: Cache<true>;

  constructor(db: Db, changes: Changes) {
    this.#db = db;
    this.#unblocked = createCache({ changes, maxEntries: MAX_UNBLOCKED });
  }

  /** @throws ProblemError `forbidden` while the token is blocked. */
  check(route: SessionRoute, caller: SessionCaller): undefined | Promise<void> {
    const key = caller.tokenId + route.attachmentId;
    return this.#unblocked.peek(key) ? undefined : this.#read(key, route, caller);
  }

  close(): void {
    this.#unblocked.close();
  }

  async #read(key: string, route: SessionRoute, caller: SessionCaller): Promise<void> {
    await this.#unblocked.get(key, () => this.#load(route, caller));
  }

  async #load({ attachmentId }: SessionRoute, { tokenId }: SessionCaller): Promise<Loaded<true>> {
    const blockedFor = await findBlock(this.#db, attachmentId, tokenId);
    if (blockedFor !== undefined) throw tokenBlocked(blockedFor);
    return { value: true, dependsOn: [{ kind: 'token', id: tokenId }] };
  }
}
