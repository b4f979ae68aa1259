import { createPrivateKey } from 'node:crypto';
import type { AuditKey as KeyRow } from '../generated/prisma/client.ts';
import type { Db, Store, Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { auditKeySealContext } from '../vault/seal-contexts.ts';
import type { Vault } from '../vault/vault.ts';
import { type AuditKey, makeAuditKey, type NewAuditKey } from './keys.ts';

/** The key that signs blocks now. Makes the first one. @throws VaultError */
export async function readSigningKey(store: Store, vault: Vault): Promise<NewAuditKey> {
  const newest = await findNewest(store.db);
  if (newest !== null) return openKey(vault, newest);
  return store.transaction(async ({ db }) => {
    await lockKeys(db);
    const made = await findNewest(db);
    return made === null ? insertKey(db, vault, makeAuditKey()) : openKey(vault, made);
  });
}

/** The key from which all others are reached. Makes it. @throws VaultError */
export async function readFirstKey(store: Store, vault: Vault): Promise<AuditKey> {
  const { key } = await readSigningKey(store, vault);
  const [first = key] = await listKeys(store.db);
  return first;
}

/** Makes a key that signs from now on, signed by the one before it. @throws VaultError */
export async function replaceSigningKey({ db }: Pick<Tx, 'db'>, vault: Vault): Promise<AuditKey> {
  await lockKeys(db);
  const newest = await findNewest(db);
  const predecessor = newest === null ? undefined : openKey(vault, newest);
  return (await insertKey(db, vault, makeAuditKey(predecessor))).key;
}

/** The fingerprint of the key that signs now; undefined before there is one. */
export async function findSigningKeyId(db: Db): Promise<string | undefined> {
  return (await findNewest(db))?.fingerprint;
}

/** All keys, without what signs, from the first to the newest. */
export async function listKeys(db: Db): Promise<AuditKey[]> {
  const rows = await db.auditKey.findMany({ orderBy: { id: 'asc' } });
  return rows.map(keyOf);
}

/** Two nodes that start at the same time make one key. */
async function lockKeys(db: Db): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('gatehouse:audit-key', 0))`;
}

function findNewest(db: Db): Promise<KeyRow | null> {
  return db.auditKey.findFirst({ orderBy: { id: 'desc' } });
}

async function insertKey(db: Db, vault: Vault, made: NewAuditKey): Promise<NewAuditKey> {
  const { id: fingerprint, publicKey, signedBy, signature, createdAt } = made.key;
  const { id } = createId();
  const text = made.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const sealed = vault.seal(text, auditKeySealContext({ id, fingerprint }));
  await db.auditKey.create({
    data: { id, fingerprint, publicKey, signedBy, signature, createdAt, ...sealed },
  });
  return made;
}

function openKey(vault: Vault, row: KeyRow): NewAuditKey {
  const key = Buffer.from(vault.open(row, auditKeySealContext(row)), 'base64');
  return { key: keyOf(row), privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) };
}

function keyOf({ fingerprint, publicKey, createdAt, signedBy, signature }: KeyRow): AuditKey {
  return { id: fingerprint, publicKey, createdAt: createdAt.toISOString(), signedBy, signature };
}
