import type { ExportDeps } from '../../audit/exporting/snapshot.ts';
import { readSigningKey } from '../../audit/signing-keys.ts';
import { AuditWriter } from '../../audit/writing/audit-writer.ts';
import { loadStorage } from '../../platform/config/config.ts';
import { createPgliteStore } from '../../platform/database/create-store.ts';
import { openPglite } from '../../platform/database/pglite.ts';
import { runStartStep } from '../../platform/database/start-step.ts';
import type { Store } from '../../platform/database/store.ts';
import { nodeName } from '../../platform/node-name.ts';
import { takeSnapshot } from '../../transfer/snapshot.ts';
import { loadOrCreateKeyFile } from '../../vault/key-file.ts';
import { createKeyring, type EncryptionKey, type Keyring } from '../../vault/keyring.ts';
import { createVault } from '../../vault/vault.ts';
import { requireDatabase } from '../ask.ts';
import { copyServed, NobodyListens } from '../copy-served.ts';
import type { CommandContext } from '../definition.ts';
import { withOwnDatabase } from '../own-database.ts';

type Work<T> = (deps: ExportDeps) => Promise<T>;

/** Reads the audit: of PostgreSQL and of a stopped server in place, of a running one from a copy of its files. */
export async function withAudit<T>({ environment }: CommandContext, work: Work<T>): Promise<T> {
  const { databaseUrl, dataDir, encryptionKeys } = loadStorage(environment);
  try {
    if (databaseUrl === undefined) return await withCopy(dataDir, encryptionKeys, work);
  } catch (error) {
    if (!(error instanceof NobodyListens)) throw error;
  }
  return withOwnDatabase(environment, async ({ store, keys: { keyring } }) => {
    await takeInLeftovers(store, keyring);
    return read(store, keyring, work);
  });
}

/** Management events that no server has put into a block, such as those of other commands. */
async function takeInLeftovers(store: Store, keyring: Keyring): Promise<void> {
  const options = { vault: createVault(keyring), node: nodeName() };
  const writer = new AuditWriter({ store, ...options, onError: () => undefined });
  await writer.close();
}

async function withCopy<T>(
  dataDir: string,
  encryptionKeys: readonly EncryptionKey[] | undefined,
  work: Work<T>,
): Promise<T> {
  requireDatabase(dataDir);
  const { directory, remove } = await takeSnapshot(dataDir, copyServed(dataDir));
  try {
    const store = await runStartStep('pglite', async () =>
      createPgliteStore(await openPglite({ directory })),
    );
    const keyring = createKeyring(encryptionKeys ?? (await loadOrCreateKeyFile(dataDir)));
    return await read(store, keyring, work).finally(() => store.close());
  } finally {
    await remove();
  }
}

async function read<T>(store: Store, keyring: Keyring, work: Work<T>): Promise<T> {
  return work({ db: store.db, signer: await readSigningKey(store, createVault(keyring)) });
}
