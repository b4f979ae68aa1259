import type { Db } from '../platform/database/store.ts';
import type { Keyring } from './keyring.ts';
import { createVault, type Place, type Vault, VaultError } from './vault.ts';

/** Encryption keys that do not fit what is stored; the service must not start. Names key ids only. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError';
  readonly code: 'key_not_loaded' | 'key_differs';
  readonly keyIds: readonly string[];

  constructor(code: KeyringError['code'], keyIds: readonly string[]) {
    const named = keyIds.join(', ');
    super(
      code === 'key_not_loaded'
        ? `Stored secrets are sealed with encryption keys that are not loaded: ${named}.`
        : `Encryption keys have other bytes than those that sealed the stored secrets: ${named}.`,
    );
    this.code = code;
    this.keyIds = keyIds;
  }
}

const PROOF = 'gatehouse';

/**
 * Holds the loaded keys against the database: every key a stored row names must be loaded, and each
 * loaded key must have the bytes it had when it was first seen. Records keys seen for the first time.
 *
 * @throws KeyringError
 */
export async function assertKeysLoaded(db: Db, keyring: Keyring): Promise<void> {
  const named = await namedKeyIds(db);
  const missing = [...named].filter((keyId) => !keyring.ids.includes(keyId));
  if (missing.length > 0) throw new KeyringError('key_not_loaded', missing.sort());

  const vaults = keyring.ids.map(
    (keyId) => [keyId, createVault(startingWith(keyring, keyId))] as const,
  );
  const fresh = vaults.map(([keyId, vault]) => ({
    keyId,
    sealed: vault.seal(PROOF, placeOf(keyId)).sealed,
  }));
  await db.keyCheck.createMany({ data: fresh, skipDuplicates: true });
  const checks = await db.keyCheck.findMany({ where: { keyId: { in: [...keyring.ids] } } });
  const proofs = new Map(checks.map(({ keyId, sealed }) => [keyId, sealed]));
  const differing = vaults.filter(([keyId, vault]) => !isProven(vault, keyId, proofs.get(keyId)));
  if (differing.length > 0)
    throw new KeyringError(
      'key_differs',
      differing.map(([keyId]) => keyId),
    );
}

/** Walks each index from one key id to the next: one short read per key in use, however many rows. */
async function namedKeyIds(db: Db): Promise<ReadonlySet<string>> {
  const orderBy = { keyId: 'asc' } as const;
  const select = { keyId: true } as const;
  const firstAfter: readonly ((after: string) => Promise<{ keyId: string | null } | null>)[] = [
    (gt) => db.integrationSecret.findFirst({ where: { keyId: { gt } }, orderBy, select }),
    (gt) => db.connection.findFirst({ where: { keyId: { gt } }, orderBy, select }),
    (gt) => db.session.findFirst({ where: { keyId: { gt } }, orderBy, select }),
    (gt) => db.idempotencyKey.findFirst({ where: { keyId: { gt } }, orderBy, select }),
  ];
  const named = new Set<string>();
  for (const find of firstAfter) {
    let keyId = (await find(''))?.keyId;
    while (keyId) {
      named.add(keyId);
      keyId = (await find(keyId))?.keyId;
    }
  }
  return named;
}

function isProven(vault: Vault, keyId: string, sealed: Uint8Array | undefined): boolean {
  if (sealed === undefined) return false;
  try {
    return vault.open({ keyId, sealed }, placeOf(keyId)) === PROOF;
  } catch (error) {
    if (error instanceof VaultError) return false;
    throw error;
  }
}

function startingWith(keyring: Keyring, activeId: string): Keyring {
  return { ...keyring, activeId };
}

function placeOf(keyId: string): Place {
  return { organizationId: '', table: 'KeyCheck', rowId: keyId, column: 'sealed', destination: '' };
}
