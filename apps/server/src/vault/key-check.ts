import type { Db } from '../platform/database/store.ts';
import { OperatorError } from '../platform/operator-error.ts';
import type { Keyring } from './keyring.ts';
import { findStoredKeyIds } from './sealed-counts.ts';
import { createVault, type SealContext, type Vault, VaultError } from './vault.ts';

/** The encryption keys do not match the stored secrets, so the service must not start. */
export class KeyringError extends OperatorError {
  override readonly name = 'KeyringError';
  readonly code: 'key_not_loaded' | 'key_differs' | 'key_retired' | 'not_shared';
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
  key_retired: (ids) =>
    `The encryption key ${ids} was retired, and must not seal again. ` +
    'Put another key first in GATEHOUSE_ENCRYPTION_KEYS, or add a new one with a new id.',
  not_shared: (ids) =>
    `Running nodes do not share a key that seals new secrets: ${ids}. Add it at the end of GATEHOUSE_ENCRYPTION_KEYS ` +
    'on every node and restart them all, before any node has it first. (A node that was killed counts as running for a minute.)',
};

const PROOF = 'gatehouse';

/**
 * Compares the loaded keys with the database: every key that encrypted a stored row must be loaded,
 * each loaded key must have the same bytes as at its first use, and the sealing key must not be
 * retired. Records the keys that are new.
 *
 * @returns whether the sealing key begins to seal
 * @throws KeyringError
 */
export async function assertKeysLoaded(db: Db, keyring: Keyring): Promise<boolean> {
  const stored = await findStoredKeyIds(db);
  const missing = [...stored].filter((keyId) => !keyring.ids.includes(keyId));
  if (missing.length > 0) throw new KeyringError('key_not_loaded', missing.sort());

  const vaults = vaultsOf(keyring);
  const data = vaults.map(([keyId, vault]) => ({
    keyId,
    sealed: vault.seal(PROOF, contextOf(keyId)).sealed,
  }));
  await db.keyCheck.createMany({ data, skipDuplicates: true });
  await assertKeysKnown(db, keyring);
  return noteSealing(db, keyring.activeId);
}

/**
 * Compares the bytes of the loaded keys with those that the database was used with under the same id.
 * Records nothing: a command with a wrong key leaves no trace.
 *
 * @throws KeyringError `key_differs`
 */
export async function assertKeysKnown(db: Db, keyring: Keyring): Promise<void> {
  const checks = await db.keyCheck.findMany({ where: { keyId: { in: [...keyring.ids] } } });
  const proofs = new Map(checks.map(({ keyId, sealed }) => [keyId, sealed]));
  const differing = vaultsOf(keyring).filter(([keyId, vault]) => {
    const proof = proofs.get(keyId);
    return proof !== undefined && !isProven(vault, keyId, proof);
  });
  if (differing.length === 0) return;
  throw new KeyringError(
    'key_differs',
    differing.map(([keyId]) => keyId),
  );
}

/** For each loaded key a vault that seals with it. */
function vaultsOf(keyring: Keyring): (readonly [keyId: string, Vault])[] {
  return keyring.ids.map((keyId) => [
    keyId,
    createVault({ activeId: keyId, ids: keyring.ids, subkey: keyring.subkey }),
  ]);
}

/** If several nodes start at once, one of them writes. @throws KeyringError `key_retired` */
async function noteSealing(db: Db, keyId: string): Promise<boolean> {
  const noted = await db.$executeRaw`
    UPDATE "KeyCheck" SET "sealedAt" = now()
    WHERE "keyId" = ${keyId} AND "sealedAt" IS NULL AND "retiredAt" IS NULL`;
  const found = await db.keyCheck.findUnique({ where: { keyId }, select: { retiredAt: true } });
  if (found?.retiredAt) throw new KeyringError('key_retired', [keyId]);
  return noted === 1;
}

function isProven(vault: Vault, keyId: string, sealed: Uint8Array): boolean {
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
