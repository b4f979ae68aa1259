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
import type { CredentialOutcome, ReadyCredential } from './outcome.ts';
import type { CredentialTarget } from './target.ts';
import type { UnreadableRow } from './unreadable-rows.ts';

export interface CredentialsOptions {
  readonly store: Store;
  readonly vault: Vault;
  /** How many decrypted credentials to cache at most, default 10,000. */
  readonly maxEntries?: number;
  /** Called for every read of a stored credential that does not open. */
  readonly onUnreadable?: (row: UnreadableRow) => void;
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
  memo: { readonly target: CredentialTarget; readonly outcome: CredentialOutcome } | undefined;
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
  const { store, vault, maxEntries = 10_000, onError = () => undefined } = options;
  const cache = createCache<Entry>({ changes: store.changes, maxEntries });
  const reports = createConnectionReports(store, onError);

  const load = async (stored: Stored, target: CredentialTarget, userId: string) => {
    const { value: opened, ...loaded } = await stored.read({ db: store.db, vault }, target, userId);
    if (opened !== undefined && 'unreadable' in opened.credential) {
      const { rowId, credential } = opened;
      const { integrationId } = target;
      options.onUnreadable?.({ rowId, integrationId, unreadable: credential.unreadable });
    }
    if (opened?.connectionId !== undefined) {
      reports.noteRead(opened.connectionId, opened.isRejected);
    }
    return { ...loaded, value: { opened, memo: undefined } };
  };

  return {
    peek(target, userId) {
      const { stored } = MODES[target.authMode];
      if (stored === undefined) return outcomeOf(target, undefined);
      const entry = cache.peek(stored.cacheKey(target, userId));
      return entry === undefined ? undefined : memoizedOutcome(target, entry);
    },
    async resolve(target, userId) {
      const { stored } = MODES[target.authMode];
      if (stored === undefined) return outcomeOf(target, undefined);
      const key = stored.cacheKey(target, userId);
      return memoizedOutcome(target, await cache.get(key, () => load(stored, target, userId)));
    },
    renew: () => Promise.resolve(undefined),
    reportRejected: reports.rejected,
    reportAccepted: reports.accepted,
    flush: reports.flush,
    async close() {
      cache.close();
      await reports.close();
    },
  };
}

type Stored = NonNullable<CredentialMode['stored']>;

/** Memoized by the identity of the target: the gateway passes the same object until the route changes. */
function memoizedOutcome(target: CredentialTarget, entry: Entry): CredentialOutcome {
  const canExpire = entry.opened?.expiresAt !== undefined;
  if (entry.memo?.target === target && !canExpire) return entry.memo.outcome;
  const outcome = outcomeOf(target, entry.opened);
  entry.memo = { target, outcome };
  return outcome;
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
  return { kind: 'ready', headers, source: mode.source, connectionId: opened?.connectionId };
}

/** The schema was changed after the credential was entered, or takes no single token. */
function misfitOf({ source }: CredentialMode): CredentialOutcome {
  return source === 'server_token'
    ? { kind: 'unavailable', reason: 'server_token_misfit' }
    : { kind: 'needs_user', reason: 'needs_reauth' };
}
