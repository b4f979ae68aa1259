import type { Changes } from '../platform/changes/changes.ts';
import { type Cache, createCache, type Loaded } from '../platform/changes/create-cache.ts';
import type { Db } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { SessionCaller, SessionRoute } from './open-session.ts';
import { findBlock } from './repository.ts';

/** The most pairs of token and attachment remembered as not blocked. */
const MAX_UNBLOCKED = 50_000;

/**
 * Tokens that are blocked on attachments. A modern session has no handshake to refuse, so after one was
 * revoked the calls of its token are refused for as long as it could have lasted without activity.
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
    const key = caller.bearerId + route.attachmentId;
    return this.#unblocked.peek(key) ? undefined : this.#read(key, route, caller);
  }

  close(): void {
    this.#unblocked.close();
  }

  async #read(key: string, route: SessionRoute, caller: SessionCaller): Promise<void> {
    await this.#unblocked.get(key, () => this.#load(route, caller));
  }

  async #load({ attachmentId }: SessionRoute, { bearerId }: SessionCaller): Promise<Loaded<true>> {
    const blockedFor = await findBlock(this.#db, attachmentId, bearerId);
    if (blockedFor !== undefined) throw tokenBlocked(blockedFor);
    return { value: true, dependsOn: [{ kind: 'token', id: bearerId }] };
  }
}

/** @param blockedFor milliseconds until the token may begin a session, or get a lease, there again. */
export function tokenBlocked(
  blockedFor: number,
  kind: 'session' | 'lease' = 'session',
): ProblemError {
  const verb = kind === 'session' ? 'begin' : 'get';
  const detail = `The ${kind} of this token was revoked; it may ${verb} another one later.`;
  return new ProblemError('forbidden', detail, {
    headers: { 'Retry-After': String(Math.ceil(blockedFor / 1000)) },
  });
}
