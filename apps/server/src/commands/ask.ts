import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandError, EXIT } from '../control/command-error.ts';
import type { ControlDeps } from '../control/request.ts';
import { type InputOf, type ReplyOf, type RequestName, runRequest } from '../control/requests.ts';
import { sendRequest } from '../control/send-request.ts';
import { type Config, hasDatabaseUrl, loadConfig, loadDataDir } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { runStartStep } from '../platform/database/start-error.ts';
import type { Store } from '../platform/database/store.ts';
import { assertKeysKnown } from '../vault/key-check.ts';
import { loadOrCreateKeyFile } from '../vault/key-file.ts';
import { type ChangeableKeys, createLiveKeyring, keysOfFile } from '../vault/live-keyring.ts';
import type { CommandContext } from './definition.ts';

/** Milliseconds to reach a database. */
const REACH_WITHIN = 3_000;

/**
 * Carries out a request. With `DATABASE_URL` this process does it, on that database. Otherwise the
 * running server of the data directory does; if no server runs, this process opens the directory for a
 * moment.
 *
 * @throws CommandError
 * @throws ConfigError
 * @throws DatabaseStartError
 */
export async function ask<Name extends RequestName>(
  { environment }: CommandContext,
  name: Name,
  input: InputOf<Name>,
): Promise<ReplyOf<Name>> {
  if (!hasDatabaseUrl(environment)) {
    const dataDir = loadDataDir(environment);
    const reply = await sendRequest(dataDir, name, input);
    if (reply !== undefined) return reply;
    requireDatabase(dataDir);
  }
  return withDeps(environment, (deps) => runRequest(deps, name, input));
}

/** Whether a server has started in this data directory before. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, 'database', 'PG_VERSION'));
}

/** A command does not make an installation of an empty directory. */
function requireDatabase(dataDir: string): void {
  if (hasEmbeddedDatabase(dataDir)) return;
  throw new CommandError(
    `No server listens in ${resolve(dataDir)}, and there is no database. Set GATEHOUSE_DATA_DIR or DATABASE_URL as the server has them.`,
    EXIT.unreachable,
  );
}

/** The schema is left as it is: migrations are for the server. */
async function withDeps<T>(
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
