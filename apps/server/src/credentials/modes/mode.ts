import type { AuthMode } from '../../generated/prisma/enums.ts';
import type { Loaded } from '../../platform/changes/cache.ts';
import type { Db } from '../../platform/database/store.ts';
import type { SealContext, Sealed, Vault } from '../../vault/vault.ts';
import { VaultError } from '../../vault/vault.ts';
import type { ReadyCredential, UnusableCredential } from '../outcome.ts';
import type { StoredCredential } from '../stored-credential.ts';
import type { CredentialTarget } from '../target.ts';

/** A stored credential, decrypted. */
export interface OpenedCredential {
  /** The mode it was entered for. */
  readonly mode: AuthMode;
  /** What it was entered for, see `rules/destinations.ts` of the contract. */
  readonly destination: string;
  /** `undefined` when it cannot be decrypted. */
  readonly credential: StoredCredential | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt: number | undefined;
  readonly connectionId: string | undefined;
  /** The row records that the upstream rejected it. */
  readonly isRejected: boolean;
}

/** What a mode reads and decrypts rows with. */
export interface ModeDeps {
  readonly db: Db;
  readonly vault: Vault;
}

/** How one auth mode obtains its credential. Afterwards `resolve.ts` derives the headers from it. */
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
  /** The credential to send; `undefined` to send none. */
  credential(opened: OpenedCredential | undefined): StoredCredential | undefined;
}

/** The plain text of a sealed value; `undefined` when it cannot be decrypted. */
export function tryOpen(vault: Vault, row: Sealed, context: SealContext): string | undefined {
  try {
    return vault.open(row, context);
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}
