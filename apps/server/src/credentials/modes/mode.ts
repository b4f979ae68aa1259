import type { AuthMode, RefreshFailure } from '../../generated/prisma/enums.ts';
import type { Loaded } from '../../platform/changes/create-cache.ts';
import type { Db } from '../../platform/database/store.ts';
import {
  isOutdated,
  type SealContext,
  type Sealed,
  type Vault,
  VaultError,
} from '../../vault/vault.ts';
import type { OauthGrant } from '../oauth/grant.ts';
import type { ReadyCredential, StoredCredential, UnusableCredential } from '../outcome.ts';
import type { CredentialTarget } from '../target.ts';

/** A stored credential that does not open. */
export interface Unreadable {
  /** `key_not_loaded`: this node does not have its encryption key. */
  readonly unreadable: 'key_not_loaded' | 'decryption_failed';
  /** The key that it names. */
  readonly keyId: string;
}

/** A stored credential, decrypted. */
export interface OpenedCredential {
  /** The row it was read from. */
  readonly rowId: string;
  /** The mode it was entered for. */
  readonly mode: AuthMode;
  /** The destination that it was entered for, see `rules/destinations.ts` of the contract. */
  readonly destination: string;
  readonly credential: StoredCredential | Unreadable;
  /** Epoch milliseconds. */
  readonly expiresAt: number | undefined;
  readonly connectionId: string | undefined;
  /** The row records that the upstream rejected it. */
  readonly isRejected: boolean;
  /** Present for a readable credential of mode `oauth`. */
  readonly oauth?: OpenedGrant;
}

/** The grant behind the access token of a connection of mode `oauth`. */
export interface OpenedGrant {
  readonly grant: OauthGrant;
  readonly tokenVersion: number;
  /** The provider no longer refreshes it. */
  readonly isEnded: boolean;
  /** Why the last refresh failed, if it did. */
  readonly failure: RefreshFailure | undefined;
  /** Epoch milliseconds before which no refresh is tried. */
  readonly retryAt: number;
}

/** The dependencies of a mode that reads and decrypts rows. */
export interface ModeDeps {
  readonly db: Db;
  readonly vault: Vault;
}

/** How one auth mode obtains its credential. Afterwards `modes.ts` derives the headers from it. */
export interface CredentialMode {
  /** Where the credential comes from. */
  readonly source: ReadyCredential['source'];
  /** The stored credential, found by one indexed read. Absent for a mode that stores nothing. */
  readonly stored?: {
    cacheKey(target: CredentialTarget, userId: string): string;
    read(
      deps: ModeDeps,
      target: CredentialTarget,
      userId: string,
    ): Promise<Loaded<OpenedCredential | undefined>>;
  };
  /** Why the stored credential must not be sent to the target now; `undefined` when it may be. */
  check(
    target: CredentialTarget,
    opened: OpenedCredential | undefined,
    now: number,
  ): UnusableCredential | undefined;
  /** The credential to send, if any. */
  credential(opened: OpenedCredential | undefined): StoredCredential | undefined;
}

/**
 * The plain text of a sealed value. One that was sealed in an older format is sealed again by `reseal`,
 * which may fail: then the next read tries again.
 */
export async function openSealed(
  vault: Vault,
  row: Sealed,
  context: SealContext,
  reseal: (sealed: Pick<ReturnType<Vault['seal']>, 'keyId' | 'sealed'>) => Promise<unknown>,
): Promise<string | Unreadable> {
  try {
    const text = vault.open(row, context);
    if (isOutdated(row)) await reseal(vault.seal(text, context)).catch(() => undefined);
    return text;
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const unreadable = error.code === 'unknown_key' ? 'key_not_loaded' : 'decryption_failed';
    return { unreadable, keyId: row.keyId };
  }
}

/** Why a stored credential cannot be sent, if it did not open. */
export function unreadableReason({ credential }: OpenedCredential): UnusableCredential | undefined {
  if (!('unreadable' in credential)) return undefined;
  return { kind: 'unavailable', reason: credential.unreadable };
}

/** The credential of a row that has passed `check`. */
export function readableCredential(
  opened: OpenedCredential | undefined,
): StoredCredential | undefined {
  if (opened === undefined || 'unreadable' in opened.credential) return undefined;
  return opened.credential;
}
