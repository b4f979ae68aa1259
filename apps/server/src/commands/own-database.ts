import type { ControlDeps } from '../control/request.ts';
import { type Config, loadConfig } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { runStartStep } from '../platform/database/start-step.ts';
import type { Store } from '../platform/database/store.ts';
import { assertKeysKnown } from '../vault/key-check.ts';
import { loadOrCreateKeyFile } from '../vault/key-file.ts';
import { type ChangeableKeys, createLiveKeyring, keysOfFile } from '../vault/live-keyring.ts';
import type { CommandContext } from './definition.ts';

/** Milliseconds to reach a database. */
const REACH_WITHIN = 3_000;

/** Opens the database in this process for one request. The schema is left as it is: migrations are for the server. */
export async function withOwnDatabase<T>(
  environment: CommandContext['environment'],
  work: (deps: ControlDeps) => Promise<T>,
): Promise<T> {
  const config = loadConfig(environment);
  const store = await openDatabase(config, { pending: 'refuse', reachWithin: REACH_WITHIN });
  try {
    return await runStartStep(store.kind, async () => {
      const keys = await loadKeys(config, store);
      return work({ store, publicUrl: config.publicUrl, keys });
    });
  } finally {
    await store.close();
  }
}

async function loadKeys(
  { dataDir, encryptionKeys }: Pick<Config, 'dataDir' | 'encryptionKeys'>,
  store: Store,
): Promise<ChangeableKeys> {
  const keyring = createLiveKeyring(encryptionKeys ?? (await loadOrCreateKeyFile(dataDir)));
  await assertKeysKnown(store.db, keyring);
  if (encryptionKeys !== undefined) return { keyring };
  return keysOfFile(dataDir, store, keyring, async () => {});
}
