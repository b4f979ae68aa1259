import type { AuthMode } from '../../generated/prisma/enums.ts';
import type { Loaded } from '../../platform/changes/cache.ts';
import type { Db } from '../../platform/database/store.ts';
import type { SealContext, Sealed, Vault } from '../../vault/vault.ts';
import { VaultError } from '../../vault/vault.ts';
import type { CredentialTarget, ReadyCredential, UnusableCredential } from '../outcome.ts';
import type { StoredCredential } from '../stored-credential.ts';

/** A credential as its row stores it, decrypted. */
export interface OpenedCredential {
  /** The mode it was entered for. */
  readonly mode: AuthMode;
  /** What it was entered for, see `destination.ts`. */
  readonly destination: string;
  /** `undefined` when it cannot be decrypted. */
  readonly credential: StoredCredential | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt: number | undefined;
  readonly connectionId: string | undefined;
  /** The row says that the upstream refused it. */
  readonly isRejected: boolean;
}

/** What a mode reads with. */
export interface CredentialStore {
  readonly db: Db;
  readonly vault: Vault;
}

/** How one auth mode gets its credential. The headers are derived from it last, by `resolve.ts`. */
export interface CredentialMode {
  /** Whose credential it is. */
  readonly source: ReadyCredential['source'];
  /** What is stored: absent for a mode that stores nothing, otherwise one indexed read. */
  readonly stored?: {
    cacheKey(target: CredentialTarget, userId: string): string;
    read(
      store: CredentialStore,
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
  /** The credential itself; `undefined` where none is sent. */
  credential(opened: OpenedCredential | undefined): StoredCredential | undefined;
}

/** The plain text of a sealed value; `undefined` when it cannot be decrypted. */
export function openIfPossible(vault: Vault, row: Sealed, place: SealContext): string | undefined {
  try {
    return vault.open(row, place);
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}
