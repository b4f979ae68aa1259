import { isDeepStrictEqual } from 'node:util';
import type { AuthMode } from '../generated/prisma/enums.ts';
import { createCache } from '../platform/changes/create-cache.ts';
import type { Store } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import { createConnectionReports } from './connection-reports.ts';
import { credentialHeaders } from './credential-headers.ts';
import type { Credentials } from './credentials.ts';
import type { CredentialMode, OpenedCredential } from './modes/mode.ts';
import { noneMode } from './modes/none.ts';
import { oauthMode } from './modes/oauth.ts';
import { serverTokenMode } from './modes/server-token.ts';
import { userTokenMode } from './modes/user-token.ts';
import type { Refresher } from './oauth/refresh/refresher.ts';
import type { CredentialOutcome, ReadyCredential } from './outcome.ts';
import { isWorthRenewing, refreshable, renewalDue } from './renewal.ts';
import type { CredentialTarget } from './target.ts';
import type { UnreadableRow } from './unreadable-rows.ts';

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

const MODES: Readonly<Record<AuthMode, CredentialMode>> = {
  none: noneMode,
  oauth: oauthMode,
  server_token: serverTokenMode,
  user_token: userTokenMode,
};

const NO_CREDENTIAL: ReadyCredential = {
  kind: 'ready',
  headers: [],
  source: 'none',
  connectionId: undefined,
};

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

  /** What the row holds now, past the cache, whose entry another node's write may not have dropped yet. */
  const readAgain = async (stored: Stored, target: CredentialTarget, userId: string) =>
    (await load(stored, target, userId)).value;

  /** The entry with tokens that a call may be made with, as far as there are. */
  const renewed = async (
    stored: Stored,
    target: CredentialTarget,
    userId: string,
    entry: Entry,
  ): Promise<Entry> => {
    const tokens = refreshable(target, entry.opened);
    if (tokens === undefined) return entry;
    const due = renewalDue(entry.opened, Date.now());
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
      if (entry === undefined || renewalDue(entry.opened, Date.now()) !== 'no') return undefined;
      return memoizedOutcome(target, entry);
    },
    async resolve(target, userId) {
      const { stored } = MODES[target.authMode];
      if (stored === undefined) return outcomeOf(target, undefined);
      const key = stored.cacheKey(target, userId);
      const entry = await cache.get(key, () => load(stored, target, userId));
      return memoizedOutcome(target, await renewed(stored, target, userId, entry));
    },
    async renew(target, userId, rejected) {
      const { stored } = MODES[target.authMode];
      if (stored === undefined || target.authMode !== 'oauth') return undefined;
      const entry = await readAgain(stored, target, userId);
      const present = outcomeOf(target, entry.opened);
      const isAnother = !isRejectedOne(present, rejected);
      const isGood = present.kind === 'ready' && renewalDue(entry.opened, Date.now()) !== 'now';
      if (isAnother && isGood) return present;
      const tokens = refreshable(target, entry.opened);
      if (tokens === undefined || !isWorthRenewing(entry.opened, Date.now())) {
        return isAnother ? present : undefined;
      }
      await refresher.refresh(tokens);
      const outcome = outcomeOf(target, (await readAgain(stored, target, userId)).opened);
      return isRejectedOne(outcome, rejected) ? undefined : outcome;
    },
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

/** Epoch milliseconds at which the credential expires by itself. */
function expiryOf(opened: OpenedCredential | undefined): number | undefined {
  return opened?.oauth?.grant.expiresAt ?? opened?.expiresAt;
}

/** Whether an outcome is no other credential than the one that was rejected. */
function isRejectedOne(outcome: CredentialOutcome, rejected: ReadyCredential): boolean {
  return outcome.kind === 'ready' && isDeepStrictEqual(outcome.headers, rejected.headers);
}

function outcomeOf(
  target: CredentialTarget,
  opened: OpenedCredential | undefined,
): CredentialOutcome {
  const mode = MODES[target.authMode];
  const unusable = mode.check(target, opened, Date.now());
  if (unusable !== undefined) return unusable;
  const credential = mode.credential(opened);
  if (credential === undefined) return NO_CREDENTIAL;
  const headers = credentialHeaders(target.credentialSchema, credential);
  // A person may have fields that are not sent; a server token that is not sent is no authentication.
  const isMissing = mode.source === 'server_token' && headers?.length === 0;
  if (headers === undefined || isMissing) return misfitOf(mode);
  const expiresAt = expiryOf(opened);
  const { connectionId } = opened ?? {};
  return { kind: 'ready', headers, source: mode.source, connectionId, expiresAt };
}

/** The schema was changed after the credential was entered, or takes no single token. */
function misfitOf({ source }: CredentialMode): CredentialOutcome {
  return source === 'server_token'
    ? { kind: 'unavailable', reason: 'server_token_misfit' }
    : { kind: 'needs_user', reason: 'needs_reauth' };
}
