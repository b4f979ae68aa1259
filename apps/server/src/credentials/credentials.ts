import { isDeepStrictEqual } from 'node:util';
import { createCache } from '../platform/changes/create-cache.ts';
import type { Store } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import { createConnectionReports } from './connection-reports.ts';
import type { CredentialMode, OpenedCredential } from './modes/mode.ts';
import { readableCredential } from './modes/mode.ts';
import { expiryOf, MODES, outcomeOf } from './modes/modes.ts';
import {
  canRefresh,
  canRefreshRejected,
  hasRefreshToken,
  refreshDue,
  tokensToRefresh,
} from './modes/oauth.ts';
import type { Refresher } from './oauth/refresh/refresher.ts';
import type {
  CredentialOutcome,
  FreshCredential,
  ReadyCredential,
  UnusableCredential,
} from './outcome.ts';
import type { CredentialTarget } from './target.ts';
import type { UnreadableRow } from './unreadable-rows.ts';
import { wantScopes } from './want-scopes.ts';

/** Resolves credentials, for calls through the gateway and for validate. */
export interface Credentials {
  /** The cached outcome; `undefined` when the database must be read. */
  peek(target: CredentialTarget, userId: string): CredentialOutcome | undefined;
  resolve(target: CredentialTarget, userId: string): Promise<CredentialOutcome>;
  /**
   * After the upstream has rejected a credential: another one that is worth a try, or why it cannot be
   * had now; `undefined` if there is only the rejected one.
   */
  renew(
    target: CredentialTarget,
    userId: string,
    rejected: ReadyCredential,
  ): Promise<CredentialOutcome | undefined>;
  /**
   * A credential to hand out, from the database itself. A token that expires within a minute is refreshed
   * first.
   */
  readFresh(
    target: CredentialTarget,
    userId: string,
  ): Promise<FreshCredential | UnusableCredential>;
  /**
   * The upstream requires scopes that a person's grant may lack.
   *
   * @returns whether the person can give them by connecting again
   */
  wantScopes(target: CredentialTarget, userId: string, scopes: readonly string[]): Promise<boolean>;
  /** The upstream rejected this connection's credential. Written later, in a batch. */
  reportRejected(connectionId: string): void;
  /** The upstream accepted it. Clears a recorded rejection later, in a batch; otherwise does nothing. */
  reportAccepted(connectionId: string): void;
  /** Writes pending reports now. Never rejects: a failed write is retried. */
  flush(): Promise<void>;
}

export interface CredentialsOptions {
  readonly store: Store;
  readonly vault: Vault;
  /** How many decrypted credentials to cache at most, default 10,000. */
  readonly maxEntries?: number;
  /** Called for every read of a stored credential that does not open. */
  readonly onUnreadable?: (row: UnreadableRow) => void;
  readonly refresher: Refresher;
  /** Called when reports could not be written. The write is retried. */
  readonly onError?: (error: unknown) => void;
}

/** {@link Credentials} that its owner can close. */
export interface ClosableCredentials extends Credentials {
  /** Writes pending reports and clears the cache of decrypted credentials. */
  close(): Promise<void>;
}

/** A cache entry: the decrypted row, and the outcome for the last target that it was resolved for. */
interface Entry {
  readonly opened: OpenedCredential | undefined;
  memo: Memo | undefined;
}

interface Memo {
  readonly target: CredentialTarget;
  readonly outcome: CredentialOutcome;
  /** Epoch milliseconds. */
  readonly until: number;
}

/**
 * Resolves every credential of the service. It caches the rows and checks an entry against each new
 * target (one that can expire at every use), so that an entry that was read under an older
 * configuration of the integration is never sent to a newer destination.
 */
export function createCredentials(options: CredentialsOptions): ClosableCredentials {
  const { store, vault, refresher, maxEntries = 10_000, onError = () => undefined } = options;
  const cache = createCache<Entry>({ changes: store.changes, maxEntries });
  const reports = createConnectionReports(store, onError);

  const load = async (stored: Stored, target: CredentialTarget, userId: string) => {
    const { value: opened, ...loaded } = await stored.read({ db: store.db, vault }, target, userId);
    if (opened !== undefined && 'unreadable' in opened.credential) {
      const { integrationId } = target;
      options.onUnreadable?.({ ...opened.credential, rowId: opened.rowId, integrationId });
    }
    if (opened?.connectionId !== undefined) {
      reports.noteRead(opened.connectionId, opened.isRejected);
    }
    return { ...loaded, value: { opened, memo: undefined } };
  };

  /** The current row, bypassing the cache, which may not have seen another node's write yet. */
  const readAgain = async (stored: Stored, target: CredentialTarget, userId: string) =>
    (await load(stored, target, userId)).value;

  /** The entry, with its tokens refreshed if that is due. */
  const refreshedIfDue = async (
    stored: Stored,
    target: CredentialTarget,
    userId: string,
    entry: Entry,
  ): Promise<Entry> => {
    const tokens = tokensToRefresh(target, entry.opened);
    if (tokens === undefined) return entry;
    const due = refreshDue(entry.opened, Date.now());
    if (due === 'no') return entry;
    const refreshed = refresher.refresh(tokens);
    if (due === 'soon') {
      refreshed.catch(onError);
      return entry;
    }
    await refreshed;
    return readAgain(stored, target, userId);
  };

  return {
    peek(target, userId) {
      const { stored } = MODES[target.authMode];
      if (stored === undefined) return outcomeOf(target, undefined);
      const entry = cache.peek(stored.cacheKey(target, userId));
      if (entry === undefined || refreshDue(entry.opened, Date.now()) !== 'no') return undefined;
      return memoizedOutcome(target, entry);
    },
    async resolve(target, userId) {
      const { stored } = MODES[target.authMode];
      if (stored === undefined) return outcomeOf(target, undefined);
      const key = stored.cacheKey(target, userId);
      const entry = await cache.get(key, () => load(stored, target, userId));
      return memoizedOutcome(target, await refreshedIfDue(stored, target, userId, entry));
    },
    async renew(target, userId, rejected) {
      const { stored } = MODES[target.authMode];
      if (stored === undefined || target.authMode !== 'oauth') return undefined;
      const entry = await readAgain(stored, target, userId);
      const present = outcomeOf(target, entry.opened);
      const isAnother = !isRejectedOne(present, rejected);
      const isGood = present.kind === 'ready' && refreshDue(entry.opened, Date.now()) !== 'now';
      if (isAnother && isGood) return present;
      const tokens = tokensToRefresh(target, entry.opened);
      if (tokens === undefined || !canRefreshRejected(entry.opened, Date.now())) {
        return isAnother ? present : undefined;
      }
      await refresher.refresh(tokens);
      const outcome = outcomeOf(target, (await readAgain(stored, target, userId)).opened);
      return isRejectedOne(outcome, rejected) ? undefined : outcome;
    },
    async readFresh(target, userId) {
      const { stored } = MODES[target.authMode];
      if (stored === undefined) return NOTHING_STORED;
      const entry = await readAgain(stored, target, userId);
      const tokens = tokensToRefresh(target, entry.opened);
      if (tokens === undefined || lastsLong(entry) || !canRefresh(entry.opened, Date.now())) {
        return freshOutcome(target, entry);
      }
      await refresher.refresh(tokens);
      return freshOutcome(target, await readAgain(stored, target, userId));
    },
    wantScopes: (target, userId, scopes) => wantScopes({ store, vault }, target, userId, scopes),
    reportRejected: reports.rejected,
    reportAccepted: reports.accepted,
    flush: reports.flush,
    async close() {
      cache.close();
      await refresher.close();
      await reports.close();
    },
  };
}

type Stored = NonNullable<CredentialMode['stored']>;

/** Memoized by the identity of the target: the gateway passes the same object until the route changes. */
function memoizedOutcome(target: CredentialTarget, entry: Entry): CredentialOutcome {
  if (entry.memo?.target === target && Date.now() < entry.memo.until) return entry.memo.outcome;
  const outcome = outcomeOf(target, entry.opened);
  entry.memo = { target, outcome, until: expiryOf(entry.opened) ?? Number.POSITIVE_INFINITY };
  return outcome;
}

/** Milliseconds that a credential still lasts when it is handed out. */
const FRESH = 60_000;

const NOTHING_STORED: UnusableCredential = { kind: 'needs_user', reason: 'connection_required' };

function lastsLong({ opened }: Entry): boolean {
  return (expiryOf(opened) ?? Number.POSITIVE_INFINITY) - Date.now() >= FRESH;
}

/** A token that is about to expire is not handed out, even if calls through the gateway may still use it. */
function freshOutcome(
  target: CredentialTarget,
  entry: Entry,
): FreshCredential | UnusableCredential {
  const outcome = outcomeOf(target, entry.opened);
  if (outcome.kind !== 'ready') return outcome;
  const stored = readableCredential(entry.opened);
  if (stored === undefined) return NOTHING_STORED;
  if (lastsLong(entry)) return { ...outcome, stored };
  return hasRefreshToken(entry.opened)
    ? { kind: 'unavailable', reason: 'refresh_failed' }
    : { kind: 'needs_user', reason: 'expired' };
}

/** Whether an outcome is the same credential as the rejected one. */
function isRejectedOne(outcome: CredentialOutcome, rejected: ReadyCredential): boolean {
  return outcome.kind === 'ready' && isDeepStrictEqual(outcome.headers, rejected.headers);
}
