import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandError, EXIT } from '../control/command-error.ts';
import { type InputOf, type ReplyOf, type RequestName, runRequest } from '../control/requests.ts';
import { sendRequest } from '../control/send-request.ts';
import { hasDatabaseUrl, loadDataDir } from '../platform/config/config.ts';
import type { CommandContext } from './definition.ts';

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
  // Loaded by need: a running server spares it.
  const { withOwnDatabase } = await import('./own-database.ts');
  return withOwnDatabase(environment, (deps) => runRequest(deps, name, input));
}

/** Whether a server has started in this data directory before. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, 'database', 'PG_VERSION'));
}

/** A command does not make an installation of an empty directory. @throws CommandError */
export function requireDatabase(dataDir: string): void {
  if (hasEmbeddedDatabase(dataDir)) return;
  throw new CommandError(
    `No server listens in ${resolve(dataDir)}, and there is no database. Set GATEHOUSE_DATA_DIR or DATABASE_URL as the server has them.`,
    EXIT.unreachable,
  );
}
