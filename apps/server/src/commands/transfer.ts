import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError, EXIT } from '../control/command-error.ts';
import type { loadStorage } from '../platform/config/config.ts';
import { databaseFiles } from '../platform/database/database-files.ts';
import type { RawDatabase } from '../platform/database/raw-database.ts';
import { type Exported, exportDatabase } from '../transfer/export-database.ts';
import { type Imported, type OnProgress, readKeyFile } from '../transfer/imported.ts';
import { openEmbedded, openPostgresql, openServed } from '../transfer/open-source.ts';
import { TransferError } from '../transfer/transfer-error.ts';
import { copyServed, NobodyListens } from './copy-served.ts';
import type { CommandContext, Outcome } from './definition.ts';
import { readPassphrase } from './passphrase.ts';

export type Storage = ReturnType<typeof loadStorage>;

export interface FileInput {
  readonly file: string;
  readonly passphraseFile?: string | undefined;
}

/** Writes everything of an installation into a file. */
export async function exportTo(
  { file, passphraseFile, force = false }: FileInput & { readonly force?: boolean | undefined },
  storage: Storage,
  context: CommandContext,
): Promise<Outcome> {
  if (!force && existsSync(file)) {
    throw new CommandError(`${file} exists. Choose another name, or replace it with --force.`);
  }
  const passphrase = await readPassphrase(context, { passphraseFile, isNew: true });
  const exported = await stoppable(async (signal) => {
    const { database, keyFile } = await openSource(storage);
    try {
      return await exportDatabase(database, {
        ...{ path: file, passphrase, force, signal, keyFile },
        version: context.version,
        onProgress: reportTo(context),
      });
    } finally {
      await database.close();
    }
  });
  return { json: exported, text: exportedText(exported) };
}

/**
 * Reads the key file after the copy, so it includes keys added meanwhile. A key retired meanwhile is
 * reported as missing.
 */
async function openSource({
  databaseUrl,
  dataDir,
}: Storage): Promise<{ database: RawDatabase; keyFile: string | null }> {
  if (databaseUrl !== undefined) {
    return { database: await openPostgresql(databaseUrl), keyFile: null };
  }
  const database = await openData(dataDir);
  try {
    return { database, keyFile: await readKeyFile(dataDir) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The running server's, or else the directory's. */
async function openData(dataDir: string): Promise<RawDatabase> {
  if (!existsSync(databaseFiles(dataDir))) {
    throw new TransferError('not_migrated', `There is no database in ${resolve(dataDir)}.`);
  }
  try {
    return await openServed(dataDir, copyServed(dataDir));
  } catch (error) {
    if (!(error instanceof NobodyListens)) throw error;
    return openEmbedded(dataDir);
  }
}

/** Runs to the end or until stopped, and reports a failure in one sentence. */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) throw new CommandError('Stopped. Nothing was changed.');
    if (!(error instanceof TransferError)) throw error;
    throw new CommandError(error.message, EXIT.failed, { cause: error });
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

export function reportTo({ progress }: CommandContext): OnProgress {
  return ({ rows, ofRows }) => progress.report(`${number(rows)} of ${number(ofRows)} rows`);
}

function exportedText({ path, rows, keysInside, keysElsewhere }: Exported): string {
  const keys = keysInside.length === 0 ? '' : ` and the encryption keys ${keysInside.join(', ')}`;
  return [
    `${path} holds ${number(rows)} rows${keys}.`,
    ...(keysElsewhere.length === 0
      ? []
      : [
          `It does not hold the encryption keys ${keysElsewhere.join(', ')}. Keep GATEHOUSE_ENCRYPTION_KEYS too: without them the stored credentials cannot be opened.`,
        ]),
    'Keep the passphrase elsewhere: without it the file cannot be opened.',
  ].join('\n');
}

/** What to read after rows were taken from a file. */
export function importedText(
  { rows, writtenAt, writtenBy, keysElsewhere }: Imported,
  keysTo?: string,
): string {
  return [
    `${number(rows)} rows of ${writtenAt} (Gatehouse ${writtenBy}) are in place.`,
    ...(keysTo === undefined ? [] : [`The encryption keys are in ${keysTo}.`]),
    ...(keysElsewhere.length === 0
      ? []
      : [
          `Start the server with these keys in GATEHOUSE_ENCRYPTION_KEYS: ${keysElsewhere.join(', ')}.`,
        ]),
    'Keep the old GATEHOUSE_PUBLIC_URL, and never run both installations at once.',
  ].join('\n');
}

function number(count: number): string {
  return count.toLocaleString('en');
}
