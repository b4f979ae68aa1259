import type { Db } from '../platform/database/store.ts';
import type { Keyring } from './keyring.ts';
import { createVault, type SealContext, type Vault, VaultError } from './vault.ts';

/** The encryption keys do not match the stored secrets, so the service must not start. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError';
  readonly code: 'key_not_loaded' | 'key_differs';
  readonly keyIds: readonly string[];

  constructor(code: KeyringError['code'], keyIds: readonly string[]) {
    super(MESSAGES[code](keyIds.join(', ')));
    this.code = code;
    this.keyIds = keyIds;
  }
}

const MESSAGES: Readonly<Record<KeyringError['code'], (ids: string) => string>> = {
  key_not_loaded: (ids) =>
    `Stored secrets are encrypted with keys that are not loaded: ${ids}. ` +
    'Add these keys to GATEHOUSE_ENCRYPTION_KEYS, or restore the encryption-key file of the data directory.',
  key_differs: (ids) =>
    `Encryption keys differ from the keys of the same id that the database was used with before: ${ids}. ` +
    'Restore the original keys under these ids, and give a new key a new id.',
};

const PROOF = 'gatehouse';

/**
 * Compares the loaded keys with the database: every key that encrypted a stored row must be loaded,
 * and each loaded key must have the bytes it had at its first use. Records the keys that are new.
 *
 * @throws KeyringError
 */
export async function assertKeysLoaded(db: Db, keyring: Keyring): Promise<void> {
  const stored = await findStoredKeyIds(db);
  const missing = [...stored].filter((keyId) => !keyring.ids.includes(keyId));
  if (missing.length > 0) throw new KeyringError('key_not_loaded', missing.sort());

  const vaults = keyring.ids.map(
    (keyId) => [keyId, createVault({ ...keyring, activeId: keyId })] as const,
  );
  const data = vaults.map(([keyId, vault]) => ({
    keyId,
    sealed: vault.seal(PROOF, contextOf(keyId)).sealed,
  }));
  await db.keyCheck.createMany({ data, skipDuplicates: true });
  const checks = await db.keyCheck.findMany({ where: { keyId: { in: [...keyring.ids] } } });
  const proofs = new Map(checks.map(({ keyId, sealed }) => [keyId, sealed]));
  const differing = vaults.filter(([keyId, vault]) => !isProven(vault, keyId, proofs.get(keyId)));
  if (differing.length > 0)
    throw new KeyringError(
      'key_differs',
      differing.map(([keyId]) => keyId),
    );
}

/** Skips from one key id to the next in each index: one short read per key, however many rows there are. */
async function findStoredKeyIds(db: Db): Promise<ReadonlySet<string>> {
  const orderBy = { keyId: 'asc' } as const;
  const select = { keyId: true } as const;
  const firstAfter: readonly ((after: string) => Promise<{ keyId: string | null } | null>)[] = [
    (gt) => db.integrationSecret.findFirst({ where: { keyId: { gt } }, orderBy, select }),
    (gt) => db.connection.findFirst({ where: { keyId: { gt } }, orderBy, select }),
    (gt) => db.session.findFirst({ where: { keyId: { gt } }, orderBy, select }),
    (gt) => db.oauthToken.findFirst({ where: { keyId: { gt } }, orderBy, select }),
    (gt) => db.idempotencyKey.findFirst({ where: { keyId: { gt } }, orderBy, select }),
    (gt) => db.upstreamRegistration.findFirst({ where: { keyId: { gt } }, orderBy, select }),
    (gt) => db.upstreamRevocation.findFirst({ where: { keyId: { gt } }, orderBy, select }),
  ];
  const keyIds = new Set<string>();
  for (const find of firstAfter) {
    let keyId = (await find(''))?.keyId;
    while (keyId) {
      keyIds.add(keyId);
      keyId = (await find(keyId))?.keyId;
    }
  }
  return keyIds;
}

function isProven(vault: Vault, keyId: string, sealed: Uint8Array | undefined): boolean {
  if (sealed === undefined) return false;
  try {
    return vault.open({ keyId, sealed }, contextOf(keyId)) === PROOF;
  } catch (error) {
    if (error instanceof VaultError) return false;
    throw error;
  }
}

function contextOf(keyId: string): SealContext {
  const nowhere = { organizationId: '', destination: '', boundTo: [] };
  return { ...nowhere, table: 'KeyCheck', rowId: keyId, column: 'sealed' };
}
